import CoreData

/// What the + button of a list offers: kinds of objects, the initial values of a new object, and the steps that insert
/// it.
struct AddAnswer {
    private let app: BrowsedApp
    private let list: ApplicationList
    private let parent: String?
    private let model: NSManagedObjectModel

    init(_ app: BrowsedApp, _ list: ApplicationList, parent: String?, model: NSManagedObjectModel) {
        self.app = app
        self.list = list
        self.parent = parent
        self.model = model
    }

    /// `{"mode", "kinds": [{"label", "entity", "nameKey", "nameLabel", "form", "values", "steps"}]}`
    var json: JSONValue {
        .object([
            ("mode", .string(list.adding.rawValue)),
            ("kinds", .array(list.adding == .none ? [] : kinds.map(kind))),
        ])
    }

    private var kinds: [ApplicationList.Kind] {
        guard list.kinds.isEmpty, let entity = model.entitiesByName[list.entity] else { return list.kinds }
        return concrete(entity).compactMap(\.name).map {
            ApplicationList.Kind(entity: $0, label: "Add \($0)", detail: nil)
        }
    }

    private func concrete(_ entity: NSEntityDescription) -> [NSEntityDescription] {
        (entity.isAbstract ? [] : [entity])
            + entity.subentities.sorted { ($0.name ?? "") < ($1.name ?? "") }.flatMap(concrete)
    }

    private func kind(_ kind: ApplicationList.Kind) -> JSONValue {
        let name = kind.entity
        let form =
            kind.detail ?? model.entitiesByName[name].map { app.formName(for: $0, in: list) } ?? BrowsedApp.modelForm
        var values: [String: JSONValue] = [:]
        if let key = list.parentKey { values[key] = .text(parent) }
        return .object([
            ("label", .string(kind.label)), ("entity", .string(name)), ("nameKey", .text(kind.nameKey)),
            ("nameLabel", .text(kind.nameKey.map(DetailList.label))),
            ("form", .string(app.forms[form] == nil ? BrowsedApp.modelForm : form)), ("values", .sorted(values)),
            ("steps", .array([Steps.insert(name, values)])),
        ])
    }
}

/// Makes steps of edits as JSON, which pages send back to be staged.
enum Steps {
    static func insert(_ entity: String, _ values: [String: JSONValue]) -> JSONValue {
        .object([("do", .string("insert")), ("entity", .string(entity)), ("values", .sorted(values))])
    }

    static func set(_ object: String, key: String, value: JSONValue) -> JSONValue {
        .object([("do", .string("set")), ("object", .string(object)), ("key", .string(key)), ("value", value)])
    }

    static func delete(_ object: String) -> JSONValue {
        .object([("do", .string("delete")), ("object", .string(object))])
    }

    /// A step that adds `member` to a relationship of `object`, or removes it; `action` is `add` or `remove`.
    static func link(_ action: String, object: String, key: String, member: String) -> JSONValue {
        .object([
            ("do", .string(action)), ("object", .string(object)), ("key", .string(key)), ("member", .string(member)),
        ])
    }
}
