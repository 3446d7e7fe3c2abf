import CoreData

extension PageCall {
    /// The choices for the store of the call.
    var kindChoices: KindChoices {
        get throws {
            let identity = StoreFileIdentity(try store.opened.store)
            return KindChoices(
                try ViewState(
                    KindChoices.stateName, ofStore: identity.folder, likeThose: identity,
                    in: StateFolder(browser.options)
                ).read())
        }
    }
}
