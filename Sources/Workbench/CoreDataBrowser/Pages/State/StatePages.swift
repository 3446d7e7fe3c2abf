import CoreData

/// `GET /stores/{store}/state/{name}`: what a view remembers, or null; with `tab`, what that tab does or else the newest.
struct StatePage: Page {
    let route = Route("GET /stores/{store}/state/{name}")

    func respond(_ call: PageCall) async throws -> BrowserResponse { .json(try call.viewState.read()) }
}

/// `PUT /stores/{store}/state/{name}`: has a view remember something else.
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
            // What a view looks like goes with a file that is moved or copied; which view was shown does not.
            return try ViewState(
                parameters["name"] ?? "", of: query["tab"], ofStore: identity.folder,
                likeThose: query["tab"] == nil ? identity : nil, in: StateFolder(browser.options))
        }
    }
}
