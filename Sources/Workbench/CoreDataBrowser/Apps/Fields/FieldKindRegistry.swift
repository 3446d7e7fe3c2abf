import CoreData

/// The kinds of fields by the class names of detail lists.
struct FieldKindRegistry: Sendable {
    private var byName: [String: FieldKind]

    /// The kinds of the books and those beside them.
    init() { byName = Dictionary(Self.known.map { ($0.className, $0) }, uniquingKeysWith: { first, _ in first }) }

    /// Adds a kind, or takes the place of the one of its name.
    ///
    /// - Throws: `InspectionError` of code `badValue` for a kind that is to be edited and has no action that saves.
    mutating func register(_ kind: FieldKind) throws {
        guard !kind.className.isEmpty, kind.action != nil else {
            throw InspectionError(
                .badValue, PrintableText.escaped(kind.className, limit: 80), "the kind is edited and nothing saves it",
                hint: "give the action 'save', or make the kind with shown(_:widget:)")
        }
        byName[kind.className] = kind
    }

    /// The kind of a name; nil for an unknown one.
    subscript(name: String) -> FieldKind? { byName[name] }

    /// Known names that are much like another.
    func near(_ name: String) -> NameSuggestion? { NameSuggestion(for: name, in: byName.keys) }

    private static let numbers: [NSAttributeType] = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
        .doubleAttributeType, .floatAttributeType,
    ]

    private static let known: [FieldKind] = [
        FieldKind("SuperDBCell", "label", nil, .shows),
        FieldKind("SuperDBNonEditableCell", "label", nil, .shows),
        FieldKind("SuperDBEditCell", "text", [.stringAttributeType] + numbers, .saves(FieldSaving.textOrNumber)),
        FieldKind("SuperDBDateCell", "date", [.dateAttributeType], .saves(FieldSaving.date)),
        FieldKind("SuperDBPickerCell", "choice", [.stringAttributeType], .saves(FieldSaving.choice)),
        FieldKind(
            "SuperDBColorCell", "color", [.transformableAttributeType, .binaryDataAttributeType],
            .saves(FieldSaving.color)),
        FieldKind("NumberCell", "number", numbers, .saves(FieldSaving.number)),
        FieldKind("BooleanCell", "boolean", [.booleanAttributeType], .saves(FieldSaving.any)),
        FieldKind("LongTextCell", "longText", [.stringAttributeType], .saves(FieldSaving.text)),
        FieldKind("ImageCell", "image", [.binaryDataAttributeType], .saves(FieldSaving.any)),
        FieldKind("MediaCell", "media", [.binaryDataAttributeType, .URIAttributeType], .saves(FieldSaving.any)),
        FieldKind("RecordingCell", "recording", [.binaryDataAttributeType], .saves(FieldSaving.any)),
        FieldKind("MapCell", "map", numbers, .saves(FieldSaving.number)),
        FieldKind("MailCell", "mail", [.stringAttributeType], .saves(FieldSaving.text)),
        FieldKind("BarcodeCell", "barcode", [.stringAttributeType], .saves(FieldSaving.text)),
        FieldKind("ValueCell", "value", nil, .saves(FieldSaving.any)),
    ]

    /// The kind in which an attribute is edited where no list says it.
    static func standard(for attribute: NSAttributeDescription) -> String {
        guard !attribute.isTransient, !(attribute is NSDerivedAttributeDescription) else { return "SuperDBCell" }
        return switch attribute.attributeType {
        case .stringAttributeType: "SuperDBEditCell"
        case .dateAttributeType: "SuperDBDateCell"
        case .booleanAttributeType: "BooleanCell"
        case .binaryDataAttributeType: "ImageCell"
        case .transformableAttributeType:
            attribute.valueTransformerName == ColorTransformer.name ? "SuperDBColorCell" : "ValueCell"
        case let type where numbers.contains(type): "NumberCell"
        default: "ValueCell"
        }
    }
}
