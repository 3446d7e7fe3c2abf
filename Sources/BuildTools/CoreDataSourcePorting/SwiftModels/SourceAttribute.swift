import CoreDataModelCompiler
import SwiftSyntax

/// Makes attributes of variables by their types.
enum SourceAttribute {
    static func make(_ variable: ModelClass.Variable) -> NSAttributeDescription {
        if let transformer = variable.annotation?.transformer {
            let made = NSAttributeDescription()
            made.attributeType = .transformableAttributeType
            made.valueTransformerName = transformer
            made.attributeValueClassName = variable.node.bindings.first?.typeAnnotation?.type.trimmedDescription
                .trimmingCharacters(in: CharacterSet(charactersIn: "?!"))
            return made
        }
        guard variable.annotation?.options.contains("codable") != true else { return encoded() }
        return make(variable.type.kind, name: variable.name, isOptional: variable.type.isOptional)
    }

    private static func encoded() -> NSAttributeDescription {
        let made = NSAttributeDescription()
        made.attributeType = .binaryDataAttributeType
        return made
    }

    private static func make(_ kind: SourceKind, name: String, isOptional: Bool) -> NSAttributeDescription {
        switch kind {
        case .simple(let type):
            let made = NSAttributeDescription()
            made.attributeType = type
            return made
        case .list(let element):
            let made = NSAttributeDescription()
            made.attributeType = .transformableAttributeType
            made.valueTransformerName = "NSSecureUnarchiveFromData"
            made.attributeValueClassName = "Array<\(element)>"
            return made
        case .composite(let composite):
            let made = NSCompositeAttributeDescription()
            made.compositeName = composite.name
            if composite.isEnumeration { made.userInfo = ["EnumType": "true"] }
            made.elements = composite.elements.map { element($0, name: name, areOptional: isOptional) }
            return made
        case .encoded, .toOne, .toMany, .unknown: return encoded()
        }
    }

    private static func element(
        _ element: SourceComposite.Element, name: String, areOptional: Bool
    ) -> NSAttributeDescription {
        let name = element.name ?? name
        let isOptional = areOptional || element.isOptional
        // A list in a structure is text of JSON, as all that is neither simple nor a structure.
        let made: NSAttributeDescription
        if case .list = element.kind {
            made = encoded()
        } else {
            made = make(element.kind, name: name, isOptional: isOptional)
        }
        made.name = name
        made.isOptional = isOptional
        return made
    }
}
