/// The kinds of things in a model's source that can be edited; the raw value is the word for it.
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
    /// An entry of the user info of something.
    case userInfo = "user-info"

    /// The element that stands for it.
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

    /// The kind of an item that an element of a name stands for.
    init(of item: SourceItem, element: String) {
        self = Self.allCases.first { $0.element == element && $0.fits(item) } ?? .model
    }

    /// The kinds of properties.
    static let properties: [SourceItemKind] = [.attribute, .relationship, .fetchedProperty]

    /// What can be added in something of this kind.
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

    /// Whether something of this kind can be what the item names.
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
