import CoreData
import Synchronization

/// The models that are shown for themselves, and those of stores that were looked at.
package final class ModelRegistry: Sendable {
    private let models = NamedList<EditedModel>()
    private let ofStores: Mutex<[String: (opened: ObjectIdentifier, model: EditedModel)]> = Mutex([:])

    /// The models, in the order in which they came; those of stores are not among them.
    package var shown: [EditedModel] { models.all }

    /// Shows one more model, which `make` gets the name of.
    @discardableResult
    package func show(_ name: String, _ make: (String) throws -> EditedModel) rethrows -> EditedModel {
        try models.add(name, make)
    }

    /// The model of a name in addresses.
    ///
    /// - Throws: `BrowserFailure` 404.
    func model(_ id: String) throws -> EditedModel {
        guard let model = models[id] else {
            throw BrowserFailure(
                404, code: "unknownModel",
                reason: "the model '\(PrintableText.escaped(id, limit: 80))' is not open here",
                hint: "the list is at /")
        }
        return model
    }

    /// Whether a model has a name.
    func isShown(_ id: String) -> Bool { models[id] != nil }

    /// The model that a store is read with, as it is open now.
    func model(of store: BrowsedStore) -> EditedModel {
        let opened = ObjectIdentifier(store.opened.wholeModel)
        return ofStores.withLock { known in
            if let found = known[store.id], found.opened == opened { return found.model }
            let made = EditedModel(id: "store-" + store.id, of: store)
            known[store.id] = (opened, made)
            return made
        }
    }
}
