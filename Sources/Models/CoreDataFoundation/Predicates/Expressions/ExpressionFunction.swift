/// The closed list of functions that an expression can call, named as Apple's `NSExpression(forFunction:arguments:)`
/// does.
///
/// No name outside this list is ever looked up or sent: text from outside cannot reach a method.
package enum ExpressionFunction: String, CaseIterable, Sendable {
    case sum = "sum:"
    case count = "count:"
    case min = "min:"
    case max = "max:"
    case average = "average:"
    case median = "median:"
    case mode = "mode:"
    case standardDeviation = "stddev:"
    case add = "add:to:"
    case subtract = "from:subtract:"
    case multiply = "multiply:by:"
    case divide = "divide:by:"
    case modulus = "modulus:by:"
    case squareRoot = "sqrt:"
    case logarithm = "log:"
    case naturalLogarithm = "ln:"
    case power = "raise:toPower:"
    case exponential = "exp:"
    case floor = "floor:"
    case ceiling = "ceiling:"
    case absolute = "abs:"
    case truncate = "trunc:"
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
    case canonical = "canonical:"
    case length = "length:"
    /// Not in Apple's list: how often words occur in a text that has all of them, otherwise 0.
    case occurrences = "occurrencesOfWords:in:"
    /// Not in Apple's list: the search rank of a text that has all of the words, otherwise 0, also for nil.
    case rank = "rankOfWords:in:"
    case now = "now"
    /// Not in Apple's list: the number of a date's day in UTC, counted from 2001-01-01.
    case dayOfDate = "dayOfDate:"
    case bitwiseAnd = "bitwiseAnd:with:"
    case bitwiseOr = "bitwiseOr:with:"
    case bitwiseXor = "bitwiseXor:with:"
    case leftShift = "leftshift:by:"
    case rightShift = "rightshift:by:"
    case onesComplement = "onesComplement:"
    case noIndex = "noindex:"
    case random = "random"
    case randomBelow = "random:"
    case distinct = "distinct:"
    case element = "objectFrom:withIndex:"
    case cast = "castObject:toType:"

    /// The number of arguments; nil if any number from one is allowed.
    package var arity: Int? {
        switch self {
        case .now, .random: 0
        case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation: nil
        default: rawValue.count { $0 == ":" }
        }
    }

    /// Whether the function computes one value from many.
    package var isAggregation: Bool {
        switch self {
        case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation: true
        default: false
        }
    }

    /// The operator that a format string has between the two arguments; nil if it writes the function by name.
    package var infixSign: String? {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .modulus: "%%"
        case .power: "**"
        case .bitwiseAnd: "&"
        case .bitwiseOr: "|"
        case .bitwiseXor: "^"
        case .leftShift: "<<"
        case .rightShift: ">>"
        default: nil
        }
    }
}
