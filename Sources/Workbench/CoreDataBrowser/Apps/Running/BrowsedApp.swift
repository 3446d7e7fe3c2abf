import CoreData

/// An application that property lists describe, with its open store.
package final class BrowsedApp: Identifiable, Sendable {
    /// The application's name in addresses.
    package let id: String
    package let title: String
    let folder: AppFolder
    let lists: [ApplicationList]
    /// The detail lists that could be read, by name; `form(_:for:_:)` checks them against an entity.
    let forms: [String: DetailList]
    let store: BrowsedStore
    let defaults: AppDefaults
    /// The invalid parts of the application's files.
    package let problems: [ListProblem]

    init(
        id: String, source: AppSource, content: AppContent, store: BrowsedStore, defaults: AppDefaults,
        problems: [ListProblem]
    ) {
        self.id = id
        title = source.title
        folder = source.folder
        lists = content.lists
        forms = content.forms
        self.store = store
        self.defaults = defaults
        self.problems = problems
    }

    /// The list of a number in addresses, which count from 0.
    ///
    /// - Throws: `BrowserFailure` 404.
    func list(_ number: String) throws -> ApplicationList {
        guard let index = Int(number), lists.indices.contains(index) else {
            throw BrowserFailure(404, code: "unknownList", reason: "'\(title)' has no list of the number '\(number)'")
        }
        return lists[index]
    }

    /// The form of a name without what does not fit the entity, and the problems found; `model` names the form that is
    /// made from the model.
    ///
    /// - Throws: `BrowserFailure` 404.
    func form(_ name: String, for entity: NSEntityDescription, _ kinds: FieldKindRegistry) throws
        -> (list: DetailList, problems: [ListProblem])
    {
        guard name != Self.modelForm else { return (DetailList(of: entity), []) }
        guard let form = forms[name] else {
            let near = NameSuggestion(for: name, in: forms.keys)
            throw BrowserFailure(
                404, code: "unknownForm", reason: "'\(title)' has no form '\(PrintableText.escaped(name, limit: 80))'",
                hint: near?.question)
        }
        let problems = ListProblemCollector()
        return (form.checked(for: entity, kinds, problems), problems.all)
    }

    /// The name of the form in which an entity's objects open.
    func formName(for entity: NSEntityDescription, in list: ApplicationList? = nil) -> String {
        var level: NSEntityDescription? = entity
        while let current = level {
            let name = current.name ?? ""
            let found =
                list?.details[name] ?? list?.kinds.first { $0.entity == name }?.detail
                ?? lists.lazy.compactMap { $0.details[name] }.first
            if let found, forms[found] != nil { return found }
            level = current.superentity
        }
        return Self.modelForm
    }

    /// The name in addresses of the form that the model makes.
    static let modelForm = "model"
}
