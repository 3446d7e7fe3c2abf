import Foundation
import FoundationNetworking

/// One fetch of a picture: from the cache while it is fresh, else from its server, which is asked whether its version has changed.
struct PictureFetch: Sendable {
    let cache: any PictureCache
    let configuration: PictureConfiguration
    let fetch: PictureLoader.Fetch

    /// Why a request fails that may work later: then what is there is used.
    private static let temporary: [TransferError.Code] = [
        .hostNotFound, .cannotConnect, .connectionLost, .incompleteBody, .timedOut,
    ]

    /// - Throws: ``TransferError``, ``PictureError``, what the function that fetches throws; `CancellationError`.
    func picture(at url: URL) async throws -> Picture {
        let cached = await cache.picture(for: url)
        guard let cached, let known = try? picture(url, cached.data) else { return try await load(url, nil) }
        guard cached.freshUntil <= configuration.now() else { return known }
        do {
            return try await load(url, cached)
        } catch let error as TransferError {
            if Self.temporary.contains(error.code) || (500...599).contains(error.response?.statusCode ?? 0) {
                var stale = cached
                stale.freshUntil = configuration.now().addingTimeInterval(configuration.failureLifetime)
                await cache.store(stale, for: url)
                return known
            }
            // It is another thing now, or gone.
            await cache.remove(for: url)
            throw error
        }
    }

    private func load(_ url: URL, _ cached: CachedPicture?) async throws -> Picture {
        var request = URLRequest(url: url)
        request.setValue("image/avif,image/webp,image/png,image/jpeg,image/gif", forHTTPHeaderField: "Accept")
        var options = TransferOptions()
        options.accepts = .images
        options.maximumBodySize = configuration.maximumBytes
        options.priority = configuration.priority
        if let cached, cached.entityTag != nil || cached.lastModified != nil {
            options.accepts.statuses = 200...304
            request.setValue(cached.entityTag, forHTTPHeaderField: "If-None-Match")
            if cached.entityTag == nil {
                request.setValue(cached.lastModified, forHTTPHeaderField: "If-Modified-Since")
            }
        }
        let (data, response) = try await fetch(request, options)
        let place = response.url ?? url
        if response.statusCode == 304, let cached {
            let picture = try picture(url, cached.data)
            await keep(cached, response, url)
            return picture
        }
        guard (200...299).contains(response.statusCode) else {
            throw TransferError(
                .status(response.statusCode), place, "the server answers \(response.statusCode)", response: response)
        }
        let type = response.value(forHTTPHeaderField: "Content-Type")
        guard TransferAcceptance.images.allows(contentType: type) else {
            throw TransferError(
                .contentType(type), place, "the content is \(type ?? "of no stated type"), not a picture",
                response: response)
        }
        let picture = try picture(url, data)
        await keep(CachedPicture(data: data, freshUntil: .distantPast), response, url)
        return picture
    }

    private func picture(_ url: URL, _ data: Data) throws -> Picture {
        guard let header = try? PictureHeader(data) else { throw PictureError(code: .unknownFormat, url: url) }
        let (pixels, isTooLarge) = header.width.multipliedReportingOverflow(by: header.height)
        guard !isTooLarge, pixels <= configuration.maximumPixels else {
            throw PictureError(code: .tooManyPixels(header.width, header.height), url: url)
        }
        return Picture(url: url, data: data, header: header)
    }

    /// Keeps a picture with what a response says of it, as long as the response allows (RFC 9111, 4.2 and 5.2.2).
    private func keep(_ picture: CachedPicture, _ response: HTTPURLResponse, _ url: URL) async {
        var picture = picture
        guard !response.cacheDirectives.contains("no-store") else { return await cache.remove(for: url) }
        // A response 304 may leave them out.
        picture.entityTag = response.value(forHTTPHeaderField: "ETag") ?? picture.entityTag
        picture.lastModified = response.value(forHTTPHeaderField: "Last-Modified") ?? picture.lastModified
        let now = configuration.now()
        let seconds = response.freshness(at: now) ?? configuration.freshness
        picture.freshUntil = now.addingTimeInterval(min(max(0, seconds), 31_536_000))
        await cache.store(picture, for: url)
    }
}
