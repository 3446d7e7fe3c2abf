import CoreData

/// The order in which the user arranged the rows of a list, stored in a numeric attribute of each object.
struct ManualOrder {
    private static let limit = 10_000

    private let key: String
    private let list: ApplicationList
    private let reading: StoreReading

    /// - Throws: `BrowserFailure` 409 for a list that keeps no order.
    init(_ list: ApplicationList, _ reading: StoreReading) throws {
        guard let key = list.orderKey else {
            throw BrowserFailure(
                409, code: "noOrder", reason: "the list keeps no order of its own", hint: "it names no 'orderKey'")
        }
        self.key = key
        self.list = list
        self.reading = reading
    }

    /// `{"steps"}` that move the row at `from` to `to`: they set the number of each row whose position changes.
    func moving(_ from: Int, to: Int) throws -> JSONValue {
        let request = NSFetchRequest<NSManagedObject>(entityName: list.entity)
        request.sortDescriptors =
            (list.tabs.first.map(list.order) ?? []) + [NSSortDescriptor(key: "self", ascending: true)]
        request.fetchLimit = Self.limit + 1
        var rows = try reading.context.fetch(request)
        guard rows.count <= Self.limit else {
            throw BrowserFailure(
                422, code: "tooMany", reason: "more than \(Self.limit) rows are not put in order by hand")
        }
        guard rows.indices.contains(from), rows.indices.contains(to) else {
            throw BrowserFailure(422, code: "badPlace", reason: "the list has \(rows.count) rows")
        }
        rows.insert(rows.remove(at: from), at: to)
        let steps = try rows.enumerated().compactMap { place, row -> JSONValue? in
            let kept = try row.codedValue(forKey: key) as? NSNumber
            guard kept?.doubleValue != Double(place) else { return nil }
            return Steps.set(row.objectID.shortText, key: key, value: .integer(Int64(place)))
        }
        return .object([("steps", .array(steps))])
    }
}

extension JSONValue {
    /// A member of an object.
    func member(_ key: String) -> JSONValue? {
        guard case .members(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// An integer among the members.
    func integer(_ key: String) -> Int? {
        switch member(key) {
        case .integer(let number): Int(exactly: number)
        case .number(let text): Int(text)
        default: nil
        }
    }
}
