/// The kinds of items in a model source; the raw values are their names in edits.
package enum SourceItemKind: String, CaseIterable, Hashable, Sendable {
    case model
    case entity
    case attribute
    case relationship
    case fetchedProperty = "fetched-property"
    case index
    case constraint
    case fetchRequest = "fetch-request"
    case configuration
    /// An entity in a configuration.
    case member
    case composite
    /// An entry of the user info of an entity or a property.
    case userInfo = "user-info"

    /// The name of the XML element that describes an item of the kind.
    var element: String {
        switch self {
        case .fetchedProperty: "fetchedProperty"
        case .index: "fetchIndex"
        case .constraint: "uniquenessConstraint"
        case .fetchRequest: "fetchRequest"
        case .member: "memberEntity"
        case .userInfo: "entry"
        default: rawValue
        }
    }

    /// The kind of an item that an XML element with a name describes.
    init(of item: SourceItem, element: String) {
        self = Self.allCases.first { $0.element == element && $0.fits(item) } ?? .model
    }

    /// The kinds of properties.
    static let properties: [SourceItemKind] = [.attribute, .relationship, .fetchedProperty]

    /// The kinds of items that can be added to an item of this kind.
    package var parts: [SourceItemKind] {
        switch self {
        case .model: [.entity, .fetchRequest, .configuration, .composite]
        case .entity: Self.properties + [.index, .constraint, .userInfo]
        case .attribute, .relationship, .fetchedProperty: [.userInfo]
        case .configuration: [.member]
        case .composite: [.attribute]
        case .index, .constraint, .fetchRequest, .member, .userInfo: []
        }
    }

    /// Whether an item can be of this kind; a property can be of each kind in `properties`.
    func fits(_ item: SourceItem) -> Bool {
        switch item {
        case .model: self == .model
        case .entity: self == .entity
        case .property: Self.properties.contains(self)
        case .index: self == .index
        case .constraint: self == .constraint
        case .fetchRequest: self == .fetchRequest
        case .configuration: self == .configuration
        case .member: self == .member
        case .composite: self == .composite
        case .element: self == .attribute
        case .userInfo: self == .userInfo
        }
    }
}
