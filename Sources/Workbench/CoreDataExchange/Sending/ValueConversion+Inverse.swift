import CoreData

/// Values of attributes as the texts and numbers of documents from which they come.
extension ValueConversion {
    /// - Throws: `InspectionError` for a conversion that has no inverse.
    func requireInverse(_ name: String) throws {
        if let words {
            var seen: Set<String> = []
            for (text, word) in words where text != "*" && !seen.insert(word).inserted {
                throw RecordWriter.wrong(name, "several texts become '\(word)'")
            }
        }
        if let transformer {
            guard let found = ValueTransformer(forName: NSValueTransformerName(transformer)),
                type(of: found).allowsReverseTransformation()
            else { throw RecordWriter.wrong(name, "its transformer does not work backwards") }
        }
        if let truths, truths.yes.isEmpty || truths.no.isEmpty {
            throw RecordWriter.wrong(name, "it needs a text for true and one for false")
        }
    }

    /// The value of a document that becomes a value of an attribute.
    ///
    /// - Throws: `InspectionError` for a value that no text becomes.
    func inverse(_ value: Any, _ kind: AttributeKind, _ name: String) throws -> JSONValue {
        let plain = ValueCoding.json(value, kind)
        if let transformer {
            let found = ValueTransformer(forName: NSValueTransformerName(transformer))
            guard let back = found?.reverseTransformedValue(value) else {
                throw RecordWriter.wrong(name, "its transformer gives nothing for a value")
            }
            return .string((back as? String) ?? (back as? NSNumber)?.stringValue ?? "\(back)")
        }
        if kind == .date, let date, let value = value as? Date { return try date.json(value, name) }
        if kind == .boolean, let truths, case .bool(let flag) = plain {
            return .string((flag ? truths.yes : truths.no).first ?? "")
        }
        if let words { return .string(try word(for: plain, in: words, name)) }
        if kind == .string, let separator, case .string(let text) = plain {
            return .array(text.components(separatedBy: separator).map { .string($0) })
        }
        if let locale, let value = value as? NSNumber, kind != .boolean {
            let style = Decimal.FormatStyle(locale: locale).grouping(.never).precision(.significantDigits(1...38))
            return .string(value.decimalValue.formatted(style))
        }
        if let number, let text = plain.text, value is NSNumber, kind != .boolean {
            return .string(text.replacing(".", with: String(number.decimal)))
        }
        return plain
    }

    private func word(for value: JSONValue, in words: [String: String], _ name: String) throws -> String {
        let text = value.text ?? ""
        let known = words.first { pair in
            guard pair.key != "*" else { return false }
            if case .bool(let flag) = value { return ["true", "YES", "1"].contains(pair.value) == flag }
            return pair.value == text
        }
        guard let known else { throw RecordWriter.wrong(name, "no text becomes one of its values") }
        return known.key
    }
}

extension DateForm {
    /// The date in the first of the forms.
    ///
    /// - Throws: `InspectionError` for a date that the form cannot have.
    func json(_ date: Date, _ name: String) throws -> JSONValue {
        let text: String?
        switch kinds.first {
        case .seconds: return .number(Self.number(date.timeIntervalSince1970))
        case .milliseconds: return .number(Self.number(date.timeIntervalSince1970 * 1_000))
        case .internet: text = Self.internet?.text(date, in: zone)
        case .pattern(let pattern): text = pattern.text(date, in: zone)
        case .iso, nil: text = ISODate.text(date)
        }
        guard let text, self.date(text) == date else {
            throw RecordWriter.wrong(name, "the form of its dates does not tell one of them exactly")
        }
        return .string(text)
    }

    private static let internet = DatePattern("EEE, dd MMM yyyy HH:mm:ss Z")

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
    }
}
