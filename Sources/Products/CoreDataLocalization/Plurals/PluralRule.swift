/// A condition of CLDR on the operands of a number, such as `n % 10 = 1 and n % 100 != 11` (UTS #35, Part 3, 5.1.1).
struct PluralRule: Sendable {
    /// One comparison; the ranges are inclusive.
    private struct Relation {
        let operand: Character
        let modulus: UInt64
        let isEqual: Bool
        let ranges: [ClosedRange<UInt64>]

        func holds(for number: PluralOperands) -> Bool {
            guard let value = number.value(of: operand) else { return !isEqual }
            let rest = modulus == 0 ? value : value % modulus
            return ranges.contains { $0.contains(rest) } == isEqual
        }
    }

    /// The relations are joined by `and`, their lists by `or`.
    private let alternatives: [[Relation]]

    /// Reads a condition; nil for a text that is none.
    init?(_ text: Substring) {
        var alternatives: [[Relation]] = []
        var relations: [Relation] = []
        var words = text.split(separator: " ").map(String.init)[...]
        while true {
            guard let relation = Self.relation(&words) else { return nil }
            relations.append(relation)
            guard let joint = words.popFirst() else {
                self.alternatives = alternatives + [relations]
                return
            }
            guard joint == "and" || joint == "or" else { return nil }
            if joint == "or" {
                alternatives.append(relations)
                relations = []
            }
        }
    }

    func holds(for number: PluralOperands) -> Bool {
        alternatives.contains { $0.allSatisfy { $0.holds(for: number) } }
    }

    private static func relation(_ words: inout ArraySlice<String>) -> Relation? {
        guard let name = words.popFirst(), name.count == 1, let operand = name.first, "nivwftce".contains(operand)
        else {
            return nil
        }
        var modulus: UInt64 = 0
        if words.first == "%" {
            words.removeFirst()
            guard let number = words.popFirst().flatMap(UInt64.init), number > 0 else { return nil }
            modulus = number
        }
        guard let sign = words.popFirst(), sign == "=" || sign == "!=", let list = words.popFirst() else { return nil }
        var ranges: [ClosedRange<UInt64>] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: ".", omittingEmptySubsequences: true).compactMap { UInt64($0) }
            guard let low = ends.first, let high = ends.last, ends.count <= 2, low <= high else { return nil }
            ranges.append(low...high)
        }
        return Relation(operand: operand, modulus: modulus, isEqual: sign == "=", ranges: ranges)
    }
}

extension PluralOperands {
    /// The value of an operand; nil for `n` of a number that is not an integer, which no range contains.
    fileprivate func value(of operand: Character) -> UInt64? {
        switch operand {
        case "n": isInteger ? integer : nil
        case "i": integer
        case "v": digits
        case "w": significantDigits
        case "f": fraction
        case "t": significantFraction
        default: exponent
        }
    }
}
