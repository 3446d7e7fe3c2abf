import CoreData

/// Merges the store's groups in memory: by units of dates, and to count different values.
struct SummaryMerging {
    private struct Group {
        let keys: [PropertyReading]
        var parts: [String: Any] = [:]
        var different: [String: Set<String>] = [:]
        /// The sums of dates, in seconds from the reference date, from which means are calculated.
        var seconds: [String: Double] = [:]
    }

    private let question: SummaryRequest
    private var groups: [[String?]: Group] = [:]

    init(_ question: SummaryRequest) {
        self.question = question
        // Without keys the result is one row, even if there are no objects.
        if question.keys.isEmpty { groups[[]] = Group(keys: []) }
    }

    /// Adds one of the store's groups.
    mutating func add(_ line: NSDictionary, _ parts: [SummaryPart]) {
        change(line) { group in
            for part in parts {
                let value = line[part.name].flatMap { $0 is NSNull ? nil : $0 }
                if part.function == .average {
                    guard let date = value as? Date else { continue }
                    let number = (line[part.name.replacing(" mean", with: " number")] as? NSNumber)?.doubleValue ?? 0
                    group.seconds[part.name, default: 0] += date.timeIntervalSinceReferenceDate * number
                } else {
                    group.parts[part.name] = part.joined(group.parts[part.name], value)
                }
            }
        }
    }

    /// Adds a value to those that `distinct` counts in a group.
    mutating func add(_ line: NSDictionary, different name: String, _ value: PropertyReading) {
        change(line) { group in
            if let text = value.text { group.different[name, default: []].insert(text) }
        }
    }

    private mutating func change(_ line: NSDictionary, _ body: (inout Group) -> Void) {
        let keys = question.keys.map { $0.reading(line[$0.name]) }
        body(&groups[keys.map(\.text), default: Group(keys: keys)])
    }

    /// The rows that meet the condition, sorted and limited, and whether these are all.
    func rows() throws -> (rows: [[PropertyReading]], isAll: Bool) {
        let names = question.keys.map(\.name) + question.aggregates.map(\.name)
        var rows = groups.values.map { group in group.keys + question.aggregates.map { reading(of: $0, group) } }
        if let predicate = question.having?.predicate {
            rows = rows.filter { predicate.evaluate(with: Self.object(names, $0)) }
        }
        let places = question.order.compactMap { one in names.firstIndex(of: one.name).map { ($0, one.isAscending) } }
        rows.sort { left, right in
            for (place, isAscending) in places {
                let (first, second) = (left[place].value, right[place].value)
                if SummaryOrder.precedes(first, second) { return isAscending }
                if SummaryOrder.precedes(second, first) { return !isAscending }
            }
            return false
        }
        guard !question.keys.isEmpty else { return (rows, true) }
        return (Array(rows.prefix(question.limit)), rows.count <= question.limit)
    }

    private func reading(of aggregate: SummaryAggregate, _ group: Group) -> PropertyReading {
        let name = aggregate.name
        switch aggregate.function {
        case .distinct: return aggregate.reading(NSNumber(value: group.different[name]?.count ?? 0))
        case .average:
            guard let number = group.parts[name + " number"] as? NSNumber, number.doubleValue > 0 else { return .null }
            if let seconds = group.seconds[name + " mean"] {
                return aggregate.reading(Date(timeIntervalSinceReferenceDate: seconds / number.doubleValue))
            }
            guard let sum = group.parts[name + " sum"] as? NSNumber else { return .null }
            guard aggregate.kind == .decimal else {
                return aggregate.reading(NSNumber(value: sum.doubleValue / number.doubleValue))
            }
            return aggregate.reading(NSDecimalNumber(decimal: sum.decimalValue / number.decimalValue))
        case .count, .sum:
            let none: NSNumber? = aggregate.kind == .decimal ? NSDecimalNumber.zero : NSNumber(value: 0)
            return aggregate.reading(group.parts[name] ?? none)
        case .min, .max: return aggregate.reading(group.parts[name])
        }
    }

    /// A row as an object for the evaluation of conditions: a dotted name becomes nested dictionaries.
    private static func object(_ names: [String], _ row: [PropertyReading]) -> NSDictionary {
        let object = NSMutableDictionary()
        for (name, reading) in zip(names, row) {
            let steps = name.split(separator: ".").map(String.init)
            var owner = object
            for step in steps.dropLast() {
                let next = owner[step] as? NSMutableDictionary ?? NSMutableDictionary()
                owner[step] = next
                owner = next
            }
            if let value = reading.value, let last = steps.last { owner[last] = value }
        }
        return object
    }
}

extension PropertyReading {
    /// The single value; nil for null, for several objects and for an unreadable value.
    var value: Any? {
        switch self {
        case .value(let value, _): value
        case .text(let text): text
        case .object(let id): id
        case .null, .objects, .unreadable: nil
        }
    }
}
