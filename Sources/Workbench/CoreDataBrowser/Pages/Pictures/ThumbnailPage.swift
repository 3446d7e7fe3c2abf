import CoreData
import CoreDataPictures

/// `GET /stores/{store}/objects/{entity}/{key}/values/{name}/thumbnail?size=N`: a picture as a JPEG that fits into a square of N pixels.
///
/// The picture is decoded by another program, whatever its type, so that the page never decodes it; a document such as SVG is refused.
struct ThumbnailPage: Page {
    /// What may be asked for, so that few sizes fill the cache.
    private static let sizes = [32, 64, 128, 256, 512, 1_024, 2_048]

    let route = Route("GET /stores/{store}/objects/{entity}/{key}/values/{name}/thumbnail")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let wanted = try call.number("size", default: 128, in: 1...2_048)
        let side = Self.sizes.first { $0 >= wanted } ?? wanted
        let options = ThumbnailOptions(size: PixelSize(width: side, height: side))
        let shelf = call.browser.pictures
        do {
            let place = try call.picturePlace()
            if let place, let digest = shelf.digest(at: place), let kept = try shelf.maker.kept(digest, options) {
                try call.store.requireFile()
                return Self.response(kept, options)
            }
            let data = try await call.pictureData()
            let digest = ContentDigest(data)
            let thumbnail = try await shelf.maker.thumbnail(of: data, digest, options)
            // The version was taken before the data was read: a save in between makes it older than the data, and it is not asked for
            // again.
            if let place { shelf.remember(digest, at: place) }
            return Self.response(thumbnail, options)
        } catch let error as PictureFileError {
            throw BrowserFailure(error)
        }
    }

    private static func response(_ data: Data, _ options: ThumbnailOptions) -> BrowserResponse {
        BrowserResponse(
            headers: [
                "Content-Type": options.format.contentType,
                "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'self'",
            ], body: BrowserBody(Array(data)))
    }
}
