/// The operators that a key path can apply to a collection, such as `@count` or `@avg.salary`.
enum CollectionOperator: String, CaseIterable {
    case count = "@count"
    case sum = "@sum"
    case average = "@avg"
    case minimum = "@min"
    case maximum = "@max"
    case union = "@unionOfObjects"
    case distinctUnion = "@distinctUnionOfObjects"
    case unionOfArrays = "@unionOfArrays"
    case distinctUnionOfArrays = "@distinctUnionOfArrays"
    case unionOfSets = "@unionOfSets"
    case distinctUnionOfSets = "@distinctUnionOfSets"

    /// Applies an operator to the values at a key path of a collection's elements, or to the elements if the path is
    /// empty.
    ///
    /// All but `@count` ignore nil, as in SQL: without other values the sum is 0; average, minimum and maximum are nil.
    static func value(of name: String, path: String, on object: Any) throws -> Any? {
        guard let operation = CollectionOperator(rawValue: name) else {
            let suggestion = closestName(to: name, in: allCases.map(\.rawValue))
            throw ExpressionError.unknownFunction(name, suggestion: suggestion)
        }
        guard let list = object as? any ElementList else {
            throw ExpressionError.wrongType(operation: name, type: String(describing: type(of: object)))
        }
        if operation == .count { return list.elementCount }
        return try operation.result(over: values(at: path, of: list.elementList))
    }

    private static func values(at path: String, of list: [Any?]) throws -> [Any?] {
        guard !path.isEmpty else { return list }
        guard !path.utf8.contains(UInt8(ascii: "@")) else {
            return try list.map { try KeyPathReader.value(at: path, of: $0) }
        }
        return try elements(of: KeyPathReader.value(at: path, of: list)) ?? []
    }

    private func result(over values: [Any?]) throws -> Any? {
        switch self {
        case .count: values.count
        case .sum: try Aggregation.sum.result(over: values)
        case .average: try Aggregation.average.result(over: values)
        case .minimum: try Aggregation.minimum.result(over: values)
        case .maximum: try Aggregation.maximum.result(over: values)
        case .union: present(values)
        case .distinctUnion: ValueList.distinct(present(values))
        case .unionOfArrays, .unionOfSets: present(spread(values))
        case .distinctUnionOfArrays, .distinctUnionOfSets: ValueList.distinct(present(spread(values)))
        }
    }

    private func present(_ values: [Any?]) -> [Any] {
        values.compactMap { ValueOrder.present($0) }
    }
}
