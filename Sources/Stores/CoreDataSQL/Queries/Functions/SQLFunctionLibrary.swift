import CoreDataStore

/// The functions and collations that a connection must register before it runs compiled queries.
///
/// Each calls the code that evaluates predicates in memory, so that both give the same results.
package enum SQLFunctionLibrary {
    /// An SQL function.
    package struct Function: Sendable {
        package let name: String
        /// Nil if the function takes any number of arguments.
        package let argumentCount: Int?
        /// Whether the same arguments always have the same result.
        package let isDeterministic: Bool
        /// - Throws: `ExpressionError` for a regular expression that is not valid or takes too long.
        package let body: @Sendable ([SQLParameter]) throws -> SQLParameter
        /// What `body` computes from one real number, if that is simple arithmetic; it allocates no array and no
        /// object.
        package var realBody: (@Sendable (Double) -> Double)?
    }

    /// An SQL collating sequence.
    package struct Collation: Sendable {
        package let name: String
        package let compare: @Sendable (String, String) -> ComparisonResult
    }

    package static let functions: [Function] =
        textFunctions + listFunctions + [sumOfHalves, terms, items, casts, rank] + exactComparisons + calculations
        + decimalCalculations + aggregations

    package static let collations: [Collation] = [
        collation(.caseInsensitive), collation(.localized), collation(.localizedCaseInsensitive),
        collation(.localizedStandard),
    ].compactMap { $0 }

    /// The comparisons that the application has registered by name, as of now.
    package static var registeredCollations: [Collation] {
        NamedComparisons.all.keys.map { name in
            Collation(name: name) { NamedComparisons.comparison(named: name)?($0, $1) ?? .orderedSame }
        }
    }

    // MARK: Names

    static let fold = "coredata_fold"
    static let hasPrefix = "coredata_has_prefix"
    static let hasSuffix = "coredata_has_suffix"
    static let contains = "coredata_contains"
    static let isLike = "coredata_like"
    static let matches = "coredata_matches"
    static let realOfBits = "coredata_real"
    static let bytesOfDigits = "coredata_bytes"
    static let wholeSum = "coredata_whole_sum"
    static let term = "coredata_term"
    static let item = "coredata_item"
    static let order = "coredata_order"
    static let isSame = "coredata_is_same"
    static let cast = "coredata_cast"
    /// The function of the search index that returns a row's score for the words of a search.
    package static let indexedRank = "coredata_indexed_rank"

    /// Returns the name of the SQL function that computes an expression function.
    static func name(of function: ExpressionFunction) -> String { "coredata_" + words(of: function) }

    /// Returns the name of the function that computes with decimals; nil if an operation has no decimal variant.
    static func decimalName(of function: ExpressionFunction) -> String? {
        decimalOperations.contains(function) ? "coredata_decimal_" + words(of: function) : nil
    }

    /// The name of the collation for a comparison; nil if the comparison does not use a collation.
    static func collationName(of comparison: SortComparison) -> String? {
        switch comparison {
        case .caseInsensitive: "coredata_case_insensitive"
        case .localized: "coredata_localized"
        case .localizedCaseInsensitive: "coredata_localized_case_insensitive"
        case .localizedStandard: "coredata_localized_standard"
        case .standard, .named, .block: nil
        }
    }

    /// Returns the name of a function in snake case. The names that every connection registers are literals: converting
    /// an enum case to a string takes longer than opening a file.
    private static func words(of function: ExpressionFunction) -> String {
        switch function {
        case .add: "add"
        case .subtract: "subtract"
        case .multiply: "multiply"
        case .divide: "divide"
        case .modulus: "modulus"
        case .squareRoot: "square_root"
        case .logarithm: "logarithm"
        case .naturalLogarithm: "natural_logarithm"
        case .power: "power"
        case .exponential: "exponential"
        case .floor: "floor"
        case .ceiling: "ceiling"
        case .absolute: "absolute"
        case .truncate: "truncate"
        case .uppercase: "uppercase"
        case .lowercase: "lowercase"
        case .canonical: "canonical"
        case .length: "length"
        case .occurrences: "occurrences"
        case .rank: "rank"
        case .bitwiseAnd: "bitwise_and"
        case .bitwiseOr: "bitwise_or"
        case .bitwiseXor: "bitwise_xor"
        case .leftShift: "left_shift"
        case .rightShift: "right_shift"
        case .onesComplement: "ones_complement"
        default: snakeCase("\(function)")
        }
    }

    private static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
    }
}

extension SQLFunctionLibrary {
    private static let textFunctions: [Function] = [
        Function(name: fold, argumentCount: 2, isDeterministic: true) { arguments in
            guard case .text(let text) = arguments[0] else { return .null }
            return .text(TextFolding.folded(text, options: options(arguments[1])))
        },
        test(hasPrefix) { TextComparison.hasPrefix($0, $1, options: $2) },
        test(hasSuffix) { TextComparison.hasSuffix($0, $1, options: $2) },
        test(contains) { TextComparison.contains($0, $1, options: $2) },
        test(isLike) { TextComparison.isLike($0, $1, options: $2) },
        test(matches) { try PatternMatcher.matcher(for: $1, options: $2).matches($0) },
    ]

    /// Makes a function that tests two texts; it returns NULL if one of them is NULL.
    private static func test(
        _ name: String, _ body: @escaping @Sendable (String, String, NSComparisonPredicate.Options) throws -> Bool
    ) -> Function {
        Function(name: name, argumentCount: 3, isDeterministic: true) { arguments in
            guard case .text(let text) = arguments[0], case .text(let other) = arguments[1] else { return .null }
            return .integer(try body(text, other, options(arguments[2])) ? 1 : 0)
        }
    }

    private static func options(_ argument: SQLParameter) -> NSComparisonPredicate.Options {
        guard case .integer(let number) = argument else { return [] }
        return NSComparisonPredicate.Options(rawValue: UInt(truncatingIfNeeded: number))
    }

    private static let listFunctions: [Function] = [
        Function(name: realOfBits, argumentCount: 1, isDeterministic: true) { arguments in
            guard case .integer(let bits) = arguments[0] else { return .null }
            return .real(Double(bitPattern: UInt64(bitPattern: bits)))
        },
        Function(name: bytesOfDigits, argumentCount: 1, isDeterministic: true) { arguments in
            guard case .text(let digits) = arguments[0] else { return .null }
            return SQLList.bytes(ofDigits: digits).map { .blob($0) } ?? .null
        },
    ]

    private static func collation(_ comparison: SortComparison) -> Collation? {
        // A `SortComparison` may contain a block and cannot be captured by a sendable closure; its name suffices.
        guard let name = collationName(of: comparison), let selector = comparison.name else { return nil }
        return Collation(name: name) { left, right in
            (try? SortComparison(name: selector).order(left, right)) ?? .orderedSame
        }
    }
}
