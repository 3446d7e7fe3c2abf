/// The reason why an expression or a predicate cannot be evaluated.
///
/// Values of attributes never appear in the texts, only names and types.
public enum ExpressionError: Error, Equatable, Sendable, CustomStringConvertible, LocalizedError {
    /// A function that is not predefined, with the nearest predefined name, if one is near.
    case unknownFunction(String, suggestion: String?)
    /// A predefined function with too few or too many arguments.
    case wrongArgumentCount(function: String, given: Int)
    /// A value of a type that the operation cannot use.
    case wrongType(operation: String, type: String)
    /// A variable without a value.
    case unboundVariable(String)
    /// `ANY` or `ALL` on something that is not a collection.
    case quantifierNeedsCollection(type: String)
    /// `BETWEEN` without two bounds, `IN` without a collection.
    case unsuitableRightSide(operation: String)
    /// A regular expression that does not compile, with the reason.
    case invalidPattern(String)
    /// A regular expression that needs more steps or memory for a text than the limits allow.
    case patternTooExpensive
    /// An expression that cannot be evaluated in memory.
    case unsupported(String)

    /// The text for messages and logs.
    public var description: String {
        switch self {
        case .unknownFunction(let name, let suggestion):
            "unknown function \"\(name)\"" + (suggestion.map { "; did you mean \"\($0)\"?" } ?? "")
        case .wrongArgumentCount(let function, let given):
            "the function \"\(function)\" does not take \(given) argument\(given == 1 ? "" : "s")"
        case .wrongType(let operation, let type): "\(operation) cannot use a value of type \(type)"
        case .unboundVariable(let name): "no value was given for the variable $\(name)"
        case .quantifierNeedsCollection(let type):
            "the left hand side of ANY, ALL or NONE must be a collection, not \(type)"
        case .unsuitableRightSide(let operation): "the right hand side of \(operation) is not suitable"
        case .invalidPattern(let reason): "the regular expression is not valid: \(reason)"
        case .patternTooExpensive: "the regular expression needs too many steps on one text"
        case .unsupported(let what): "\(what) cannot be evaluated in memory"
        }
    }

    /// The description as an error.
    public var errorDescription: String? { description }
}
