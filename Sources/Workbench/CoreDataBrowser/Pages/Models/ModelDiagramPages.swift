import CoreData

/// `GET /models/{model}/diagram`: the entities of a version as boxes with their positions.
struct ModelDiagramPage: Page {
    let route = Route("GET /models/{model}/diagram")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let folder = StateFolder(call.browser.options)
        return try await call.answer { model, version in
            try model.with(version) { state, name in
                if state.places == nil { state.places = try? DiagramPlaces(of: model, name, in: folder).read() }
                return try state.diagramReport()
            }
        }
    }
}

/// `PUT /models/{model}/diagram`: stores the positions of moved boxes, `{"places": {"Hero": [x, y]}}`; with `null` all
/// boxes are arranged again.
struct ModelPlacesPage: Page {
    let route = Route("PUT /models/{model}/diagram")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let folder = StateFolder(call.browser.options)
        let moved = try DiagramPlaces.places(in: try await call.json())
        return try await call.answer { model, version in
            try model.with(version) { state, name in
                if let moved {
                    state.places = (state.places ?? [:]).merging(moved) { _, new in new }
                } else {
                    state.forgetPlaces()
                }
                // The positions of boxes are not part of the model, so they are stored for a read-only model too.
                try? DiagramPlaces(of: model, name, in: folder).write(state.places ?? [:])
                return try state.diagramReport()
            }
        }
    }
}
