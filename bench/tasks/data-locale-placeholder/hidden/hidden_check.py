import json
import sys

EXPECTED = {
    "en": {
        "cart.empty": "Your cart is empty",
        "cart.items": "{count} items in the cart",
        "cart.total": "Total: {amount}",
        "order.thanks": "Thank you, {name}! Your order {number} is on its way.",
        "order.late": "Order {number} is {count} days late",
    },
    "de": {
        "cart.empty": "Ihr Warenkorb ist leer",
        "cart.items": "{count} Artikel im Warenkorb",
        "cart.total": "Summe: {amount}",
        "order.thanks": "Danke, {name}! Ihre Bestellung {number} ist unterwegs.",
        "order.late": "Bestellung {number} ist {count} Tage zu spät",
    },
    "fr": {
        "cart.empty": "Votre panier est vide",
        "cart.items": "{count} articles dans le panier",
        "cart.total": "Total : {amount}",
        "order.thanks": "Merci, {name} ! Votre commande {number} est en route.",
        "order.late": "La commande {number} a {count} jours de retard",
    },
}

failed = False
for language, texts in EXPECTED.items():
    with open(f"locales/{language}.json", encoding="utf-8") as file:
        found = json.load(file)
    for key in sorted(texts.keys() | found.keys()):
        if texts.get(key) != found.get(key):
            print(f"locales/{language}.json: {key}: expected {texts.get(key)!r}, found {found.get(key)!r}")
            failed = True
sys.exit(1 if failed else 0)
