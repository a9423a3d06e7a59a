"""Checks that every invoice in invoices/ adds up. Amounts are in cents."""

import glob
import json
import sys


def problems(invoice):
    for item in invoice["items"]:
        amount = item["quantity"] * item["unit_price"]
        if item["amount"] != amount:
            yield (f"{item['article']}: {item['quantity']} x {item['unit_price']} is {amount}, "
                   f"but the amount is {item['amount']}")
    subtotal = sum(item["amount"] for item in invoice["items"])
    if invoice["subtotal"] != subtotal:
        yield f"the amounts add up to {subtotal}, but the subtotal is {invoice['subtotal']}"
    tax = round(invoice["subtotal"] * invoice["tax_percent"] / 100)
    if invoice["tax"] != tax:
        yield f"the tax should be {tax}, but it is {invoice['tax']}"
    total = invoice["subtotal"] + invoice["tax"]
    if invoice["total"] != total:
        yield f"the total should be {total}, but it is {invoice['total']}"


def main():
    failed = False
    for path in sorted(glob.glob("invoices/*.json")):
        with open(path) as file:
            invoice = json.load(file)
        for problem in problems(invoice):
            print(f"{path}: {problem}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
