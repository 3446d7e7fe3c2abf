import CoreData

/// A part of a whole: a fraction, of which 1 is the whole, or hundredths, of which 100 are.
///
/// The parameter `whole` is `1` or `100`; it is guessed from the values.
struct PercentageKind: ValueKind {
    let name = "percentage"
    let summary = "a part of a whole; parameter whole: 1 or 100"
    let types: Set<AttributeKind> = [.integer16, .integer32, .integer64, .decimal, .double, .float]

    private static let certain: Set = ["percent", "percentage", "pct"]
    private static let likely: Set = ["ratio", "share", "fraction", "progress", "completion"]

    func guesses(in entity: EntitySamples) -> [KindGuess] {
        // Hundredths are named so; of other words only fractions count.
        entity.guesses(self, GuessRule(words: Self.certain.union(Self.likely), needsName: true)) {
            KindValues.number($0).map { $0.magnitude <= 100 } ?? false
        } _: { use, attribute in
            let values = entity.values(of: use.key).compactMap(KindValues.number)
            let areFractions = values.allSatisfy { (0...1).contains($0) }
            let isInteger = [.integer16, .integer32, .integer64].contains(AttributeKind(attribute.description))
            let isCertain = !attribute.words.isDisjoint(with: Self.certain)
            guard isCertain || (areFractions && !isInteger && !values.isEmpty) else { return false }
            use.parameters["whole"] = areFractions && !isInteger && !values.isEmpty ? "1" : "100"
            return true
        }
    }

    func use(
        of attribute: KeyedAttribute, _ parameters: KindParameters, origin: KindUse.Origin
    ) throws -> KindUse {
        try requireType(of: attribute)
        var use = KindUse(kind: name, key: attribute.key, origin: origin)
        let whole = parameters["whole"] ?? "100"
        guard whole == "1" || whole == "100" else {
            throw InspectionError(
                .badValue, subject: attribute.key, cause: "'\(whole)' is no whole of percentages",
                hint: "name 1 for fractions, or 100 for hundredths")
        }
        use.parameters["whole"] = whole
        return use
    }

    func reading(_ values: KindValues, _ use: KindUse) -> KindReading {
        guard let number = values.number(use.key) else { return .none("\(values[use.key] ?? "")", "it is no number") }
        let hundredths = use.parameters["whole"] == "1" ? number * 100 : number
        let text = NSDecimalNumber(decimal: hundredths).stringValue
        var reading = KindReading("\(text) %", entry: text)
        reading.number = (hundredths / 100, "percent")
        return reading
    }

    func value(of text: String, for attribute: NSAttributeDescription, _ use: KindUse) throws -> Any? {
        let digits = text.trimmingCharacters(in: .whitespaces).replacing(#/\s*%$/#, with: "")
        guard let hundredths = NumberEntry.number(digits) else {
            throw refused(attribute, "it is no percentage", hint: "give digits with a decimal point, such as 12.5 %")
        }
        return try NumberEntry.value(use.parameters["whole"] == "1" ? hundredths / 100 : hundredths, for: attribute)
    }
}
