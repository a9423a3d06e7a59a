import json
import sys

with open("invoices/2041.json") as file:
    invoice = json.load(file)
expected = {
    "number": 2041,
    "customer": "Cafe Morgen",
    "items": [
        {"article": "table", "quantity": 2, "unit_price": 12900, "amount": 25800},
        {"article": "stool", "quantity": 4, "unit_price": 2950, "amount": 11800},
        {"article": "lamp", "quantity": 5, "unit_price": 2400, "amount": 12000},
    ],
    "subtotal": 49600,
    "tax_percent": 19,
    "tax": 9424,
    "total": 59024,
}
with open("invoices/2040.json") as file:
    other = json.load(file)
failed = False
if invoice != expected:
    print(f"invoices/2041.json: expected {expected}, got {invoice}")
    failed = True
if other["total"] != 64260 or other["items"][0]["quantity"] != 12:
    print(f"invoices/2040.json has changed: {other}")
    failed = True
sys.exit(1 if failed else 0)
