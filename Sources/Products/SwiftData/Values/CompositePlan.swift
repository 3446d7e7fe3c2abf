import CoreDataGraph
import Foundation
@_spi(Reflection) import Swift

/// How the values of a structure or an enumeration are stored: as elements of a composite attribute.
final class CompositePlan: @unchecked Sendable {
    /// A member of the composite.
    struct Element {
        let name: String
        let type: Any.Type
        let kind: PropertyKind
        let isOptional: Bool

        /// An empty value in the form of the attribute.
        fileprivate var emptyStoredValue: Any? {
            guard let type = type as? any Decodable.Type else { return nil }
            return EmptyValue.of(type).flatMap { try? kind.encodeElement($0) }
        }
    }

    enum Shape {
        case structure
        /// An enumeration with raw values.
        case rawValues
        /// An enumeration without: each case is an element, and the value's has its name, or the value itself.
        case cases
    }

    let type: any Codable.Type
    let shape: Shape
    let elements: [Element]

    private init(_ type: any Codable.Type, _ shape: Shape, _ elements: [Element]) {
        self.type = type
        self.shape = shape
        self.elements = elements
    }

    /// The plan for a type; nil for one that is neither a structure nor an enumeration, or not `Codable`.
    static func of(_ type: Any.Type, name: String) -> CompositePlan? {
        guard let codable = type as? any Codable.Type else { return nil }
        if let raw = type as? any RawRepresentable.Type,
            TypeShape.isEnumeration(type) || raw.rawType is any PersistentValue.Type
        {
            let element = Element(
                name: name, type: raw.rawType, kind: PropertyKind(of: raw.rawType, name: name), isOptional: true)
            return CompositePlan(codable, .rawValues, [element])
        }
        if TypeShape.isEnumeration(type) {
            let cases = TypeShape.cases(of: type)
            guard !cases.isEmpty else { return nil }
            return CompositePlan(codable, .cases, cases.map { element($0, of: codable) })
        }
        guard let fields = TypeShape.fields(of: type), !fields.isEmpty else { return nil }
        return CompositePlan(codable, .structure, fields.map(element))
    }

    /// The element of a case: its name, or the value as text of JSON if the case has associated values.
    private static func element(_ member: TypeShape.Case, of type: any Codable.Type) -> Element {
        Element(
            name: member.name, type: member.hasValues ? Data.self : String.self,
            kind: member.hasValues ? .encoded(type) : .simple(String.self), isOptional: true)
    }

    private static func element(_ field: (name: String, type: Any.Type)) -> Element {
        let optional = field.type as? any OptionalType.Type
        return Element(
            name: field.name, type: field.type,
            kind: PropertyKind(of: optional?.wrapped ?? field.type, name: field.name),
            isOptional: optional != nil)
    }

    /// What Apple's framework writes of an enumeration in the user info of its attribute.
    var userInfo: [AnyHashable: Any] {
        switch shape {
        case .structure: [:]
        case .rawValues: ["EnumType": true]
        case .cases: ["EnumType": true, "enum": elements.map(\.name)]
        }
    }

    /// The descriptions of the elements; all are optional where the composite is.
    ///
    /// - Parameter defaults: the elements of the property's default value. By them, or else by empty values, stores of
    ///   older versions are migrated that lack an element.
    func makeElements(areOptional: Bool, defaults: [String: Any] = [:]) -> [NSAttributeDescription] {
        elements.map { element in
            let made: NSAttributeDescription
            switch element.kind {
            case .composite(let plan):
                let composite = NSCompositeAttributeDescription()
                composite.elements = plan.makeElements(
                    areOptional: areOptional || element.isOptional,
                    defaults: defaults[element.name] as? [String: Any] ?? [:])
                composite.userInfo = plan.userInfo
                made = composite
            case .simple(let type):
                made = NSAttributeDescription()
                made.type = type.attributeType
            default:
                made = NSAttributeDescription()
                made.type = .binaryData
            }
            made.name = element.name
            made.renamingIdentifier = element.name
            made.isOptional = areOptional || element.isOptional
            if !made.isOptional, made.type != .composite {
                made.defaultValue = defaults[element.name] ?? element.emptyStoredValue
            }
            return made
        }
    }
}

extension RawRepresentable {
    static var rawType: Any.Type { RawValue.self }
}
