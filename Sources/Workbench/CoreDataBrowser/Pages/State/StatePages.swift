import CoreData

/// `GET /stores/{store}/state/{name}`: the stored state of a view, or null; with `tab`, the state of that tab, or else
/// the newest.
struct StatePage: Page {
    let route = Route("GET /stores/{store}/state/{name}")

    func respond(_ call: PageCall) async throws -> BrowserResponse { .json(try call.viewState.read()) }
}

/// `PUT /stores/{store}/state/{name}`: replaces the stored state of a view.
struct StateChangePage: Page {
    let route = Route("PUT /stores/{store}/state/{name}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try call.viewState.write(try await call.json())
        return .done
    }
}

extension PageCall {
    fileprivate var viewState: ViewState {
        get throws {
            let identity = StoreFileIdentity(try store.opened.store)
            // The appearance of a view is also taken from a moved or copied file of the store; which view a tab showed
            // is not.
            return try ViewState(
                parameters["name"] ?? "", of: query["tab"], ofStore: identity.folder,
                likeThose: query["tab"] == nil ? identity : nil, in: StateFolder(browser.options))
        }
    }
}
