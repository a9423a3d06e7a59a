grep -q "^started 500" @OUTPUT@ && ! grep -qi "fork" @OUTPUT@
