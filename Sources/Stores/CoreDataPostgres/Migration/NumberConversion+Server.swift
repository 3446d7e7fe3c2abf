import CoreDataSQL

/// Number conversions as SQL, with the same results as `NumberConversion`: the same numbers fit.
///
/// The server has one type for all integers, one for both floating-point types, and one for decimals. It casts a
/// floating-point number to a decimal with fifteen digits; therefore it is cast through its text, which is the shortest
/// one that identifies the number (`extra_float_digits`).
extension NumberConversion {
    private static let greatestDouble = "9223372036854774784"
    private static let greatestFloat = "9223371487098961920"

    private var isInteger: Bool { Self.range(of: old) != nil }
    private var isFraction: Bool { old == .doubleAttributeType || old == .floatAttributeType }

    /// Returns SQL for a number that fits the new type, converted to it.
    func serverValue(_ value: String) -> String {
        if old == .booleanAttributeType {
            return "CAST(CASE WHEN \(value) = 0 THEN 0 WHEN \(value) <> 0 THEN 1 END AS \(serverType))"
        }
        return switch (old, new) {
        case (_, .floatAttributeType): "CAST(CAST(\(value) AS real) AS double precision)"
        case (.floatAttributeType, .decimalAttributeType):
            "CAST(CAST(CAST(\(value) AS real) AS text) AS numeric)"
        case (.doubleAttributeType, .decimalAttributeType): "CAST(CAST(\(value) AS text) AS numeric)"
        default: "CAST(\(value) AS \(serverType))"
        }
    }

    private var serverType: String { ColumnType(new).map { PostgresSchema.type($0) } ?? "bigint" }

    /// Returns the condition that a number is not null and does not fit; no cast in it can raise an error.
    func serverMisfit(_ value: String) -> String {
        if let range = Self.range(of: new) { return misfit(value, range) }
        return switch new {
        case .decimalAttributeType: misfitOfDecimal(value)
        case .floatAttributeType where old == .doubleAttributeType:
            // These are half of the least number, and the greatest number plus half a step: numbers there round out of
            // the type's range.
            "CASE WHEN \(value) = 0 THEN false WHEN abs(\(value)) > 7.006492321624085e-46 "
                + "AND abs(\(value)) < 3.4028235677973366e38 THEN false ELSE \(value) IS NOT NULL END"
        case .floatAttributeType:
            misfit(value, type: "real", greatest: Self.greatestFloat, limits: "BETWEEN 1e-45 AND 3.4028235e38")
        default:
            misfit(value, type: "double precision", greatest: Self.greatestDouble, limits: "BETWEEN 1e-300 AND 1e300")
        }
    }

    private func misfit(_ value: String, _ range: ClosedRange<Int64>) -> String {
        if isInteger { return "\(value) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)" }
        guard isFraction, range.upperBound == .max else {
            return
                "CASE WHEN \(value) BETWEEN \(range.lowerBound) AND \(range.upperBound) THEN \(value) <> trunc(\(value)) "
                + "ELSE \(value) IS NOT NULL END"
        }
        // The greatest integer is not representable; the next floating-point number above is out of range.
        return "CASE WHEN \(value) >= -9223372036854775808 AND \(value) < 9223372036854775808 "
            + "THEN \(value) <> trunc(\(value)) ELSE \(value) IS NOT NULL END"
    }

    private func misfitOfDecimal(_ value: String) -> String {
        if isInteger { return "false" }
        guard old == .doubleAttributeType else {
            return "\(value) IN (CAST('NaN' AS double precision), CAST('Infinity' AS double precision), "
                + "CAST('-Infinity' AS double precision))"
        }
        return
            "CASE WHEN \(value) = 0 OR abs(\(value)) BETWEEN 1e-110 AND 1e127 THEN false ELSE \(value) IS NOT NULL END"
    }

    /// Returns the condition that an exact number is not representable in a floating-point type.
    ///
    /// - Parameters:
    ///   - greatest: the greatest number of that type that is a 64-bit integer.
    ///   - limits: the condition on the magnitude of other numbers under which the cast raises no error.
    private func misfit(_ value: String, type: String, greatest: String, limits: String) -> String {
        let fraction = "CAST(\(value) AS \(type))"
        let whole = "CAST(\(fraction) AS bigint) <> \(value)"
        if isInteger { return "CASE WHEN \(value) > \(greatest) THEN true ELSE \(whole) END" }
        return "CASE WHEN \(value) = 0 THEN false "
            + "WHEN abs(\(value)) <= \(greatest) AND \(value) = trunc(\(value)) THEN \(whole) "
            + "WHEN abs(\(value)) \(limits) THEN CAST(CAST(\(fraction) AS text) AS numeric) <> \(value) "
            + "ELSE \(value) IS NOT NULL END"
    }
}
