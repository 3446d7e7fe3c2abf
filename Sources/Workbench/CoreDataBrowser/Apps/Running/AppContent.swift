import CoreData

/// The lists and forms of an application, checked against its model.
struct AppContent {
    private(set) var lists: [ApplicationList] = []
    private(set) var forms: [String: DetailList] = [:]
    private let folder: AppFolder
    private let model: NSManagedObjectModel
    private let problems: ListProblemCollector
    private let kinds: FieldKindRegistry
    private var missing: Set<String> = []
    private var compared: Set<String> = []

    init(
        _ source: AppSource, model: NSManagedObjectModel, kinds: FieldKindRegistry, problems: ListProblemCollector
    ) {
        folder = source.folder
        self.model = model
        self.kinds = kinds
        self.problems = problems
        lists = source.root.nodes("lists").compactMap { ApplicationList($0, model) }
        if lists.isEmpty { standIn(source.root) }
        noteMissingIcons()
        for list in lists {
            for (entity, form) in list.details.sorted(by: { $0.key < $1.key }) { take(form, of: entity) }
            for kind in list.kinds { if let form = kind.detail { take(form, of: kind.entity) } }
        }
    }

    /// Reports each icon of a tab for which the folder has no PNG file; such a tab shows its title alone.
    private func noteMissingIcons() {
        for (number, list) in lists.enumerated() {
            for (place, tab) in list.tabs.enumerated() {
                guard let icon = tab.icon, folder.picture(icon) == nil else { continue }
                problems.add(
                    "Application.plist", place: "lists.\(number).tabs.\(place).icon",
                    text: "there is no PNG file '\(icon)' in the application's folder; the tab shows its title alone")
            }
        }
    }

    /// Makes a list of each root entity, for an application without a list that can be shown.
    private mutating func standIn(_ root: ListNode) {
        root.note("there is no list that can be shown; all entities are", at: "lists")
        lists = model.entities.filter { $0.superentity == nil }
            .sorted { ($0.name ?? "") < ($1.name ?? "") }.map { ApplicationList(of: $0) }
    }

    /// Reads a form, unless it was read before, and checks it against an entity; then does so with the forms that its
    /// rows open.
    private mutating func take(_ first: String, of firstEntity: String) {
        var waiting = [(first, firstEntity)]
        while let (name, entityName) = waiting.popLast() {
            guard let entity = model.entitiesByName[entityName], compared.insert("\(name)\n\(entityName)").inserted,
                let form = form(name)
            else { continue }
            for section in form.checked(for: entity, kinds, problems).sections {
                for row in section.rows {
                    let target = entity.relationshipsByName[row.key]?.destinationEntity?.name
                    if let detail = row.detail, let target { waiting.append((detail, target)) }
                }
            }
        }
    }

    private mutating func form(_ name: String) -> DetailList? {
        if let known = forms[name] { return known }
        guard !missing.contains(name) else { return nil }
        do {
            let form = DetailList(name, list: try folder.list(name), problems: problems)
            forms[name] = form
            return form
        } catch {
            missing.insert(name)
            problems.add(name, place: "", text: ErrorText.line(for: error) + " A form is made from the model.")
            return nil
        }
    }
}
