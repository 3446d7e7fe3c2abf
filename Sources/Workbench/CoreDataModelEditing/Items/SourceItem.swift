/// Identifies a part of a model source that can be edited, by the names of the part and its owner.
///
/// | text | what |
/// |---|---|
/// | `.` | the model itself |
/// | `Hero` | an entity |
/// | `Hero.name` | an attribute, a relationship or a fetched property |
/// | `Hero/indexes/byName` | a fetch index |
/// | `Hero/constraints/name,age` | a uniqueness constraint, by its properties |
/// | `Hero/user-info/key`, `Hero.name/user-info/key` | an entry of the user info |
/// | `requests/All` | a fetch request |
/// | `configurations/Cloud`, `configurations/Cloud/Hero` | a configuration, and an entity in it |
/// | `composites/Address`, `composites/Address.street` | a composite, and an attribute of it |
package indirect enum SourceItem: Hashable, Sendable {
    case model
    case entity(String)
    case property(String, entity: String)
    case index(String, entity: String)
    case constraint([String], entity: String)
    case fetchRequest(String)
    case configuration(String)
    case member(String, configuration: String)
    case composite(String)
    /// An attribute of a composite.
    case element(String, composite: String)
    case userInfo(String, of: SourceItem)

    /// The item's own name; empty for the model.
    package var name: String {
        switch self {
        case .model: ""
        case .entity(let name), .fetchRequest(let name), .configuration(let name), .composite(let name),
            .property(let name, _), .index(let name, _), .member(let name, _), .element(let name, _),
            .userInfo(let name, _):
            name
        case .constraint(let names, _): names.joined(separator: ",")
        }
    }

    /// The item that directly contains this one; the model contains itself.
    package var owner: SourceItem {
        switch self {
        case .model, .entity, .fetchRequest, .configuration, .composite: .model
        case .property(_, let entity), .index(_, let entity), .constraint(_, let entity): .entity(entity)
        case .member(_, let configuration): .configuration(configuration)
        case .element(_, let composite): .composite(composite)
        case .userInfo(_, let owner): owner
        }
    }

    /// The item with another name and the same owner; unchanged for the model and for a constraint.
    func renamed(_ name: String) -> SourceItem {
        switch self {
        case .model, .constraint: self
        case .entity: .entity(name)
        case .property(_, let entity): .property(name, entity: entity)
        case .index(_, let entity): .index(name, entity: entity)
        case .fetchRequest: .fetchRequest(name)
        case .configuration: .configuration(name)
        case .member(_, let configuration): .member(name, configuration: configuration)
        case .composite: .composite(name)
        case .element(_, let composite): .element(name, composite: composite)
        case .userInfo(_, let owner): .userInfo(name, of: owner)
        }
    }
}
