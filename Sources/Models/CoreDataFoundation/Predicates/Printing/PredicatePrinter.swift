/// Writes predicates and expressions as format strings.
///
/// What is written parses to an equal tree; values without a written form (objects, blocks) are collected beside it.
/// Two trees are equal if their texts are and the values without a written form are equal one by one.
struct PredicatePrinter: Equatable {
    var text = ""
    /// The values that the text cannot show, in the order of their places.
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

    /// A part of a compound; compounds in it stand in parentheses, as Apple's do.
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
