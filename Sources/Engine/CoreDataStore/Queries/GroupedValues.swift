import CoreDataModeling

/// Groups rows in memory, and computes the aggregates of each group.
package struct GroupedValues {
    private struct Group {
        let keys: [Any?]
        var accumulators: [GroupAccumulator]
    }

    private let grouping: ValueGrouping
    private var groups: [Group] = []
    private var numbers: [[ValueKey]: Int] = [:]

    package init(_ grouping: ValueGrouping) {
        self.grouping = grouping
        if grouping.keys.isEmpty { _ = number(of: []) }
    }

    /// Adds a row to its group, given the values of its keys and the arguments of the aggregates.
    package mutating func add(keys: [Any?], arguments: [Any?]) throws {
        let number = number(of: keys)
        for (index, argument) in arguments.enumerated() {
            guard grouping.aggregates[index].argument.isList else {
                try groups[number].accumulators[index].add(argument)
                continue
            }
            for element in elements(of: argument) ?? [] { try groups[number].accumulators[index].add(element) }
        }
    }

    private mutating func number(of keys: [Any?]) -> Int {
        let key = keys.map { ValueKey($0) }
        if let known = numbers[key] { return known }
        numbers[key] = groups.count
        groups.append(Group(keys: keys, accumulators: grouping.aggregates.map { GroupAccumulator($0.function) }))
        return groups.count - 1
    }

    /// The groups that fulfill the condition (HAVING), each as values of the variables that represent its keys and
    /// aggregates.
    package func variables() throws -> [[String: Any]] {
        var condition = grouping.condition.map { PreparedPredicate($0) }
        return try groups.compactMap { group in
            var variables: [String: Any] = [:]
            for (key, value) in zip(grouping.keys, group.keys) { variables[key.name] = value ?? NSNull() }
            for (number, accumulator) in group.accumulators.enumerated() {
                variables[ValueGrouping.aggregateName(number)] = try accumulator.result() ?? NSNull()
            }
            return try condition?.holds(forAny: nil, variables: variables) ?? true ? variables : nil
        }
    }
}
