import CoreData

/// A key by which objects are grouped: `sex`, `team.name`, or a unit of a date, `birthDate@month`.
package struct SummaryKey: Sendable {
    /// The key as written in the request.
    package let text: String
    let route: KeyRoute
    let unit: CalendarUnit?

    /// - Throws: `InspectionError`: `unknownKey` for a key that cannot form groups, `badValue` for an unknown unit of a
    ///   date.
    init(_ text: String, from entity: NSEntityDescription) throws {
        self.text = text
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isPart = parts.count == 2 && !parts[0].hasSuffix(".")
        route = try KeyRoute(isPart ? parts[0] : text, from: entity)
        try route.requireGroupable()
        guard isPart else {
            unit = nil
            return
        }
        guard let unit = CalendarUnit(rawValue: parts[1]) else {
            let known = CalendarUnit.allCases.map { "@" + $0.rawValue }.joined(separator: ", ")
            throw InspectionError(
                .badValue, subject: text, cause: "'@\(parts[1])' is not a part of a date", hint: "there are \(known)")
        }
        guard route.attributeKind == .date else {
            throw InspectionError(.badValue, subject: text, cause: "only dates have a part '@\(parts[1])'")
        }
        self.unit = unit
    }

    /// The name of the column.
    var name: String { unit.map { "\(route.text)_\($0.rawValue)".replacing(".", with: "_") } ?? text }

    /// The type of the column: that of the attribute, `relationship`, or the unit of a date.
    var type: String { unit?.rawValue ?? route.attributeKind.map { "\($0)" } ?? "relationship" }

    /// The property by which a fetch request groups: the key path, or an expression for the number of the day.
    var property: Any {
        guard unit != nil else { return route.text }
        return NSExpressionDescription(
            name, function: "dayOfDate:", of: NSExpression(forKeyPath: route.text), type: .integer64AttributeType)
    }

    /// The reading of the key's value in a group.
    func reading(_ value: Any?) -> PropertyReading {
        guard let unit else { return route.reading(ofValue: value) }
        return (value as? NSNumber).map { .text(unit.text(ofDay: $0.int64Value)) } ?? .null
    }
}

extension KeyRoute {
    /// The type of the attribute at the end of the path; nil if the path does not end at an attribute.
    var attributeKind: AttributeKind? {
        attribute.map { AttributeKind($0) }
    }
}
