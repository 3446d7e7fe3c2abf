import CoreData

/// An aggregate of the objects of a group: `count`, or a function of an attribute, such as `sum:age`.
package struct SummaryAggregate: Sendable {
    package enum Function: String, Sendable, CaseIterable {
        case count
        case sum
        case min
        case max
        case average
        /// The number of different values.
        case distinct
    }

    /// The aggregate as written in the request.
    package let text: String
    let function: Function
    /// The attribute; nil for `count`.
    let route: KeyRoute?
    let name: String

    /// - Throws: `InspectionError`: `badValue` for a function that is unknown or unsuitable for the attribute,
    ///   `unknownKey`.
    init(_ text: String, from entity: NSEntityDescription) throws {
        self.text = text
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard let function = parts.first.flatMap(Function.init) else {
            let known = Function.allCases.map { $0 == .count ? "count" : "\($0.rawValue):KEY" }.joined(separator: ", ")
            throw InspectionError(
                .badValue, subject: PrintableText.escaped(text, limit: 80), cause: "there is no such aggregate",
                hint: "there are \(known)")
        }
        self.function = function
        guard function != .count else {
            guard parts.count == 1 else {
                throw InspectionError(
                    .badValue, subject: text, cause: "'count' counts objects", hint: "'distinct:KEY' counts values")
            }
            (route, name) = (nil, Self.free("count", in: entity))
            return
        }
        guard parts.count == 2 else {
            throw InspectionError(.badValue, subject: text, cause: "it needs an attribute", hint: "\(text):KEY")
        }
        let route = try KeyRoute(parts[1], from: entity)
        try route.requireGroupable()
        try Self.require(function, route: route, text: text)
        self.route = route
        name = Self.free("\(function.rawValue)_\(route.text.replacing(".", with: "_"))", in: entity)
    }

    /// A name that no property has, since conditions would take it for the property.
    private static func free(_ name: String, in entity: NSEntityDescription) -> String {
        entity.propertiesByName[name] == nil ? name : free(name + "_", in: entity)
    }

    private static func require(_ function: Function, route: KeyRoute, text: String) throws {
        let kind = route.attributeKind
        let fits =
            switch function {
            case .count, .distinct: true
            case .sum: route.isNumber
            case .average: route.isNumber || kind == .date
            case .min, .max: route.isNumber || kind == .date || kind == .string
            }
        guard !fits else { return }
        throw InspectionError(
            .badValue, subject: PrintableText.escaped(text, limit: 80),
            cause:
                "'\(function.rawValue)' needs \(function == .sum ? "a number" : function == .average ? "a number or a date" : "a number, a date or a text")"
        )
    }

    /// The type of the result.
    var kind: AttributeKind {
        let kind = route?.attributeKind ?? .integer64
        switch function {
        case .count, .distinct: return .integer64
        case .min, .max: return kind
        case .average: return kind == .date || kind == .decimal ? kind : .double
        case .sum: return kind == .decimal ? kind : [.double, .float].contains(kind) ? .double : .integer64
        }
    }

    /// The expression that a fetch request uses for the aggregate, or for a part of it by another function.
    func description(named name: String, _ function: Function) -> NSExpressionDescription {
        let argument = route.map { NSExpression(forKeyPath: $0.text) } ?? NSExpression.expressionForEvaluatedObject()
        return NSExpressionDescription(
            name, function: function.rawValue + ":", of: argument,
            type: function == .count
                ? .integer64AttributeType : Self.type(of: function == self.function ? kind : sumKind))
    }

    /// The type of the sum from which an average is calculated.
    private var sumKind: AttributeKind { route?.attributeKind == .decimal ? .decimal : .double }

    private static func type(of kind: AttributeKind) -> NSAttributeType {
        switch kind {
        case .integer16: .integer16AttributeType
        case .integer32: .integer32AttributeType
        case .integer64: .integer64AttributeType
        case .decimal: .decimalAttributeType
        case .float: .floatAttributeType
        case .string: .stringAttributeType
        case .date: .dateAttributeType
        default: .doubleAttributeType
        }
    }

    /// The reading of the aggregate's value in a group.
    func reading(_ value: Any?) -> PropertyReading {
        guard let value, !(value is NSNull) else { return .null }
        return .value(value, kind)
    }
}
