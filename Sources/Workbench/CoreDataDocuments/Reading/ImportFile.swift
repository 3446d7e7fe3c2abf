import CoreData
import CoreDataTransfer
import FoundationNetworking

/// A file to import: at a path, at standard input, or downloaded from a URL.
package struct ImportFile: Sendable {
    /// Where the bytes lie; `-` is standard input.
    package let path: String
    /// What the file is called: a path, or a URL without its password. Its last part indicates format and entity.
    package let name: String
    /// The format that the server of a URL says; nil if it says none, and for paths.
    let declaredFormat: ImportFormat?
    /// The URL that was asked for, as text; nil for paths.
    package let place: String?
    /// Where it was downloaded from, after redirects; nil for paths.
    let url: URL?
    /// The next page by the header field `Link` of the response.
    let nextPage: String?
    /// The version by which the server can be asked for another; nil if it names none, and for paths.
    package let version: WebVersion?
    /// The seconds for which the server says that there is no other version; nil if it does not say it.
    package let freshness: TimeInterval?
    /// The folder with what was downloaded, which lives as long as the file.
    private let folder: ScratchFolder?

    /// A file at a path, or standard input for `-`.
    package init(_ path: String) {
        (self.path, name) = (path, path)
        (declaredFormat, folder, place, url, nextPage, version, freshness) = (nil, nil, nil, nil, nil, nil, nil)
    }

    /// A file at a path that is called otherwise, such as one that a client sent.
    ///
    /// - Parameter origin: What it was downloaded from; nil for a file that was not.
    package init(_ path: String, named name: String, from origin: Origin? = nil) {
        (self.path, self.name) = (path, name)
        (url, declaredFormat, nextPage) = (origin?.url, origin?.format, origin?.nextPage)
        (folder, place, version, freshness) = (nil, nil, nil, nil)
    }

    /// A file at a path, or what a URL beginning with `http://` or `https://` has, which is downloaded.
    ///
    /// The download ends when the current `ReadCancellation` is canceled.
    ///
    /// - Throws: `InspectionError` of code `unreadable` with the URL.
    package init(fetching place: String, by access: WebAccess = WebAccess()) throws {
        guard let url = Self.webURL(place) else {
            self.init(place)
            return
        }
        guard let file = try Self.fetched(url, by: access, unless: nil) else {
            throw InspectionError(.unreadable, subject: place, cause: "the server sends nothing")
        }
        self = file
    }

    /// What a URL has; nil if that is of the known version.
    ///
    /// - Throws: As above.
    package static func fetched(_ url: URL, by access: WebAccess, unless known: WebVersion?) throws -> ImportFile? {
        let folder = try ScratchFolder()
        let file = folder.file("import")
        do {
            return try access.download(url, to: file, unless: known).map {
                ImportFile(path: file.path, url, $0, folder)
            }
        } catch {
            throw WebAccess.error(error, url)
        }
    }

    private init(path: String, _ url: URL, _ response: HTTPURLResponse, _ folder: ScratchFolder) {
        (self.path, name, self.folder) = (path, url.textWithoutPassword, folder)
        (place, self.url) = (url.absoluteString, response.url ?? url)
        nextPage = ImportPages.next(inLink: response.value(forHTTPHeaderField: "Link"))
        declaredFormat = response.value(forHTTPHeaderField: "Content-Type").flatMap { ImportFormat(contentType: $0) }
        version = WebVersion(response)
        freshness = response.freshness(at: Date())
    }

    /// What a file was downloaded from; nil for one that was not.
    package var origin: Origin? { url.map { Origin(url: $0, format: declaredFormat, nextPage: nextPage) } }

    /// What is known of the place that a file was downloaded from.
    package struct Origin: Sendable {
        /// The URL, after redirects.
        package let url: URL
        /// The format that the server said.
        package let format: ImportFormat?
        /// The next page, by the header field `Link`.
        package let nextPage: String?

        package init(url: URL, format: ImportFormat?, nextPage: String?) {
            (self.url, self.format, self.nextPage) = (url, format, nextPage)
        }
    }

    /// The size in bytes; 0 where it is not known.
    package var byteCount: Int {
        (try? URL(fileURLWithPath: path).resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
    }

    /// Whether the text is a URL to download; everything else is a path.
    package static func isOnWeb(_ place: String) -> Bool { webURL(place) != nil }

    /// The URL that a text is; nil for a path.
    package static func webURL(_ place: String) -> URL? {
        let start = place.prefix(8).lowercased()
        return start.hasPrefix("http://") || start == "https://" ? URL(string: place) : nil
    }

    /// The name without what a URL has around its path.
    package var nameOfPath: String { Self.webURL(name)?.path ?? name }

    /// The format: that of the name, else the one that the server says.
    ///
    /// - Throws: `InspectionError` if both say none.
    package func format() throws -> ImportFormat {
        do {
            return try ImportFormat(nameOfPath, named: name)
        } catch {
            guard let declaredFormat else { throw error }
            return declaredFormat
        }
    }

    /// What reads the objects, block by block.
    package func source(_ blocks: FileBlocks, as format: ImportFormat) throws -> any ImportSource {
        try format.source(blocks, path: nameOfPath)
    }

    /// Opens the file.
    ///
    /// - Throws: `InspectionError` of code `unreadable`.
    package func blocks() throws -> FileBlocks { try FileBlocks(path, named: name) }
}
