import CoreDataGraph

/// Generates values of an attribute that the model's rules allow: ordinary values and edge cases.
struct SampleValues {
    /// The most values that are tried until the validation rules allow one.
    private static let tries = 30

    private let attribute: NSAttributeDescription
    private let predicates: [NSPredicate]
    private let limits: SampleLimits
    private let pattern: SamplePattern?

    init(_ attribute: NSAttributeDescription) {
        self.attribute = attribute
        predicates = attribute.validationPredicates
        limits = SampleLimits(attribute)
        pattern = limits.pattern.flatMap(SamplePattern.init)
    }

    /// A value that the rules allow, or the default value if none was found. Different numbers give different ordinary
    /// values if the rules allow enough of them.
    func value(_ number: Int, _ random: inout SampleRandom) -> Any? {
        for round in 0..<Self.tries {
            // A quarter of the first four values tried are edge cases; later ones are ordinary, so that a value is
            // found.
            let isOdd = random.next(below: 4) == 0 && round < 4
            guard let value = isOdd ? odd(&random) : everyday(number + round * 7_919, &random) else { continue }
            if isAllowed(value) { return value }
        }
        return attribute.defaultValue
    }

    /// The ordinary value of a number, which differs from those of other numbers if there are enough; if the rules
    /// refuse it, the result of `value(_:_:)`.
    func distinctValue(_ number: Int, _ random: inout SampleRandom) -> Any? {
        everyday(number, &random).flatMap { isAllowed($0) ? $0 : nil } ?? value(number, &random)
    }

    private func isAllowed(_ value: Any) -> Bool { predicates.allSatisfy { $0.evaluate(with: value) } }

    // MARK: Everyday values

    private func everyday(_ number: Int, _ random: inout SampleRandom) -> Any? {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return limits.integer(number, attribute.attributeType)
        case .doubleAttributeType: return limits.real(Double(number) + 0.25)
        case .floatAttributeType: return Float(limits.real(Double(number) + 0.5))
        case .decimalAttributeType: return decimal(limits.real(Double(number) + 0.75))
        case .booleanAttributeType: return number % 2 == 0
        case .dateAttributeType: return limits.date(700_000_000 + Double(number) * 86_400.5)
        case .stringAttributeType: return text(number, &random)
        case .binaryDataAttributeType: return Data("bytes \(number)".utf8)
        case .UUIDAttributeType: return uuid(number, &random)
        case .URIAttributeType: return URL(string: "https://example.org/page/\(number)?q=a%20b")
        case .transformableAttributeType: return transformable(number)
        case .compositeAttributeType: return composite(number, &random)
        default: return nil
        }
    }

    /// Rounds to two fraction digits and to a range in which stores keep all digits: they keep at most fifteen.
    private func decimal(_ number: Double) -> NSDecimalNumber {
        NSDecimalNumber(string: String(format: "%.2f", min(max(number, -1e12), 1e12)))
    }

    private func text(_ number: Int, _ random: inout SampleRandom) -> String? {
        if let pattern { return pattern.text(&random) }
        return limits.text("sample \(number)")
    }

    private func uuid(_ number: Int, _ random: inout SampleRandom) -> UUID? {
        let high = String(format: "%08X", UInt32(truncatingIfNeeded: number))
        return UUID(uuidString: "\(high)-0000-4000-8000-\(String(format: "%012X", random.next(below: 1 << 40)))")
    }

    /// Bytes if `StoredBytes` replaces the transformer; an array for the secure unarchiving transformer; nil for
    /// others.
    private func transformable(_ number: Int) -> Any? {
        if StoredBytes.standsIn(for: attribute) { return Data("archive \(number)".utf8) }
        let usual = [nil, "", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer"]
        return usual.contains(attribute.valueTransformerName) ? ["sample", number] as NSArray : nil
    }

    private func composite(_ number: Int, _ random: inout SampleRandom) -> Any? {
        guard let composite = attribute as? NSCompositeAttributeDescription else { return nil }
        var values: [String: Any] = [:]
        for element in composite.elements {
            values[element.name] = SampleValues(element).value(number, &random)
        }
        return values
    }

    // MARK: Odd values

    private func odd(_ random: inout SampleRandom) -> Any? {
        let values: [Any] =
            switch attribute.attributeType {
            case .integer16AttributeType: [0, -1, Int(Int16.min), Int(Int16.max)]
            case .integer32AttributeType: [0, -1, Int(Int32.min), Int(Int32.max)]
            case .integer64AttributeType: [0, -1, Int.min, Int.max, 9_007_199_254_740_993]
            case .doubleAttributeType:
                [0.0, 0.1, Double.greatestFiniteMagnitude, Double.leastNonzeroMagnitude, Double.infinity, -1e300]
            case .floatAttributeType:
                [Float(0), Float.greatestFiniteMagnitude, Float.leastNonzeroMagnitude, Float(-0.1)]
            case .decimalAttributeType:
                [
                    NSDecimalNumber.zero, NSDecimalNumber(string: "123456789012.345"),
                    NSDecimalNumber(string: "-0.000001"),
                ]
            case .dateAttributeType:
                [
                    Date.distantPast, Date.distantFuture, Date(timeIntervalSinceReferenceDate: 0),
                    Date(timeIntervalSinceReferenceDate: 1e-6), Date(timeIntervalSinceReferenceDate: -3_000_000_000.5),
                ]
            case .stringAttributeType:
                [
                    "", " ", "nul\u{0}byte", "👩‍👩‍👧‍👦 é e\u{301} שלום", "quote ' \" ; --", "line\nbreak\ttab", "\u{10FFFF}",
                    String(repeating: "long ", count: 2_000),
                ]
            case .binaryDataAttributeType:
                [Data(), Data([0]), Data([1, 0, 2]), Data(repeating: 0xA5, count: 200_000)]
            default: []
            }
        return values.isEmpty ? nil : values[random.next(below: values.count)]
    }
}
