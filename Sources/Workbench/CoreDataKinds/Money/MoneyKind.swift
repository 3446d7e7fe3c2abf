import CoreData

/// An amount of money. Its currency is the parameter `currency`: the key of an attribute with codes of ISO 4217, or a code.
///
/// Integers are in the smallest part of the currency where the parameter `unit` is `minor`, as payment services keep them.
struct MoneyKind: ValueKind {
    let name = "money"
    let summary =
        "an amount of money; parameters currency: a key or a code such as EUR, unit: minor for integers of cents"
    let types: Set<AttributeKind> = [.integer16, .integer32, .integer64, .decimal, .double, .float]

    private static let words: Set = [
        "price", "cost", "amount", "total", "subtotal", "salary", "wage", "fee", "budget", "balance", "revenue",
        "payment", "tax",
    ]
    private static let currencies: Set = ["currency", "currencycode"]

    /// An amount is guessed only beside an attribute with currencies: a number without one may be anything.
    func guesses(in entity: EntitySamples) -> [KindGuess] {
        let codes = entity.attributes.first { attribute in
            AttributeKind(attribute.description) == .string && !Self.currencies.isDisjoint(with: attribute.words)
                && entity.values(of: attribute.key).allSatisfy { ($0 as? String).map(Self.isCode) ?? false }
        }
        guard let codes else { return [] }
        return entity.guesses(self, GuessRule(words: Self.words, needsName: true)) {
            KindValues.number($0) != nil
        } _: {
            use, _ in
            use.others["currency"] = codes.key
            return true
        }.map { KindGuess($0.use, $0.strength == .both ? .together : $0.strength) }
    }

    func use(
        of attribute: KeyedAttribute, _ parameters: KindParameters, origin: KindUse.Origin
    ) throws -> KindUse {
        try requireType(of: attribute)
        var use = KindUse(kind: name, key: attribute.key, origin: origin)
        if let unit = parameters["unit"] {
            guard unit == "minor" else {
                throw InspectionError(
                    .badValue, subject: attribute.key, cause: "there is no unit of money '\(unit)'",
                    hint: "leave it out, or name 'minor' for the smallest part of the currency")
            }
            use.parameters["unit"] = unit
        }
        guard let currency = parameters["currency"] else { return use }
        if attribute.description.entity?.attributesByName[currency] != nil {
            use.others["currency"] = currency
        } else if Self.isCode(currency) {
            use.parameters["currency"] = currency
        } else {
            throw InspectionError(
                .badValue, subject: attribute.key, cause: "'\(currency)' is neither a key of the entity nor a currency",
                hint: "name an attribute with codes, or a code of ISO 4217 such as EUR")
        }
        return use
    }

    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        guard let stored = values.number(use.key) else { return .none("\(values[use.key] ?? "")", "it is no amount") }
        let code = use.parameters["currency"] ?? use.others["currency"].flatMap { values.text($0) } ?? ""
        let isCode = Self.isCode(code)
        let digits = use.parameters["unit"] == "minor" ? CurrencyDigits.count(of: code) : 0
        let amount = Decimal(sign: .plus, exponent: -digits, significand: stored)
        let text = NSDecimalNumber(decimal: amount).stringValue
        var reading = KindReading(isCode ? "\(text) \(code)" : text, entry: text)
        if isCode { reading.number = (amount, "currency:\(code)") }
        if !code.isEmpty, !isCode {
            reading.problem = "'\(PrintableText.escaped(code, limit: 20))' is no currency of ISO 4217"
        }
        return reading
    }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        guard let amount = NumberEntry.number(text) else {
            throw refused(attribute, "it is no amount", hint: "give digits with a decimal point, such as 12.50")
        }
        guard use.parameters["unit"] == "minor" else { return try NumberEntry.value(amount, for: attribute) }
        let digits = CurrencyDigits.count(of: use.parameters["currency"] ?? "")
        return try NumberEntry.value(Decimal(sign: .plus, exponent: digits, significand: amount), for: attribute)
    }

    /// Whether a text has the form of a code of ISO 4217.
    static func isCode(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (65...90).contains($0) }
    }
}

/// How many digits the amounts of a currency have after the point (ISO 4217, list one).
enum CurrencyDigits {
    private static let none: Set = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
        "XPF",
    ]
    private static let three: Set = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

    static func count(of code: String) -> Int {
        if none.contains(code) { return 0 }
        if three.contains(code) { return 3 }
        return code == "CLF" || code == "UYW" ? 4 : 2
    }
}
