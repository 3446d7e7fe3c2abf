import CoreData
import Synchronization

/// The models that were opened by themselves, and the models of stores, which are made when they are first asked for.
package final class ModelRegistry: Sendable {
    private let models = NamedList<EditedModel>()
    private let ofStores: Mutex<[String: (opened: ObjectIdentifier, model: EditedModel)]> = Mutex([:])

    /// The models that were opened by themselves, in the order in which they were added.
    package var shown: [EditedModel] { models.all }

    /// Adds the model that `make` returns; `make` is called with the model's name in addresses.
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

    /// Whether a model of a name is shown.
    func isShown(_ id: String) -> Bool { models[id] != nil }

    /// The model with which a store is open now.
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
