import CoreData

/// `GET /tiles`: the files of tiles that maps can have as background, and why others cannot be.
struct TileListPage: Page {
    let route = Route("GET /tiles")

    func respond(_ call: PageCall) async throws -> BrowserResponse { .json(call.browser.tiles.json) }
}

/// `GET /tiles/{layer}/{zoom}/{column}/{row}`: the picture of a tile, numbered from the north and the west; 404 where there is none.
struct TilePage: Page {
    let route = Route("GET /tiles/{layer}/{zoom}/{column}/{row}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let numbers = ["layer", "zoom", "column", "row"].compactMap { call.parameters[$0].flatMap(Int.init) }
        guard numbers.count == 4, (0...30).contains(numbers[1]), let archive = call.browser.tiles[numbers[0]],
            let tile = try archive.tile(zoom: numbers[1], column: numbers[2], row: numbers[3])
        else { throw BrowserFailure.notFound }
        return BrowserResponse(
            headers: [
                "Content-Type": archive.layer.format.mediaType, "Cache-Control": "private, max-age=86400",
                "Content-Security-Policy": "sandbox; default-src 'none'",
            ], body: BrowserBody(Array(tile)))
    }
}
