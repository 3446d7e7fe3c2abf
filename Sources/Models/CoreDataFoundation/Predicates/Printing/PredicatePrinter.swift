/// Prints predicates and expressions as format strings.
///
/// The text parses to an equal tree, unless it has values that cannot be printed (objects, blocks): these are
/// collected. Two trees are equal if their texts are equal and the collected values are equal in pairs.
struct PredicatePrinter: Equatable {
    var text = ""
    /// The values that cannot be printed, in the order of their positions.
    private(set) var opaques: [Any] = []

    static func printed(_ node: PredicateNode) -> PredicatePrinter {
        var printer = PredicatePrinter()
        printer.print(node)
        return printer
    }

    static func printed(_ expression: NSExpression) -> PredicatePrinter {
        var printer = PredicatePrinter()
        printer.print(expression)
        return printer
    }

    static func == (left: PredicatePrinter, right: PredicatePrinter) -> Bool {
        guard left.text == right.text, left.opaques.count == right.opaques.count else { return false }
        return zip(left.opaques, right.opaques).allSatisfy { ValueOrder.areEqual($0, $1) }
    }

    mutating func print(_ node: PredicateNode) {
        switch node {
        case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .and(let parts): print(parts, between: " AND ")
        case .or(let parts): print(parts, between: " OR ")
        case .not(let part):
            text += "NOT "
            printGrouped(part)
        case .comparison(let comparison): print(comparison)
        case .opaque(let predicate): printOpaque(predicate, as: "BLOCKPREDICATE")
        }
    }

    mutating func printOpaque(_ value: Any, as name: String) {
        text += name
        opaques.append(value)
    }

    private mutating func print(_ parts: [PredicateNode], between separator: String) {
        for (index, part) in parts.enumerated() {
            if index > 0 { text += separator }
            printGrouped(part)
        }
    }

    /// Prints a part of a compound, in parentheses if it is itself AND or OR, as Apple's framework does.
    private mutating func printGrouped(_ node: PredicateNode) {
        switch node {
        case .and, .or:
            text += "("
            print(node)
            text += ")"
        default: print(node)
        }
    }

    private mutating func print(_ comparison: NSComparisonPredicate) {
        switch comparison.comparisonPredicateModifier {
        case .direct: break
        case .any: text += "ANY "
        case .all: text += "ALL "
        }
        printSide(comparison.leftExpression)
        text += " \(comparison.predicateOperatorType.name)\(comparison.options.suffix) "
        printSide(comparison.rightExpression)
    }
}
