grep -q "^started 1500" @OUTPUT@ && ! grep -qi "fork" @OUTPUT@
