import CoreData

/// Finds the files of the front end relative to the program.
///
/// They are in the build's resource folder beside the program, or in `../share/opencoredata/browser` of an installed
/// program.
enum FrontEnd {
    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
        "webmanifest": "application/manifest+json",
    ]

    /// The HTML page of every view, with the paths of its files moved below the path under which the browser is
    /// mounted.
    ///
    /// - Throws: `BrowserFailure` 500 where the files are not found.
    static func index(_ options: BrowserOptions) throws -> BrowserResponse {
        let page = String(decoding: try data("index.html", options), as: UTF8.self)
        let mounted = page.replacing("=\"/assets/", with: "=\"\(options.basePath)/assets/")
        return BrowserResponse(headers: ["Content-Type": types["html"] ?? ""], body: BrowserBody(Array(mounted.utf8)))
    }

    /// A file by its path below the folder.
    ///
    /// - Throws: `BrowserFailure` 404, or 500 where the folder is not found.
    static func file(_ path: String, _ options: BrowserOptions) throws -> BrowserResponse {
        let steps = path.split(separator: "/")
        guard !steps.isEmpty, steps.allSatisfy({ !$0.hasPrefix(".") }),
            let type = types[steps.last.flatMap { $0.split(separator: ".").last }.map(String.init) ?? ""]
        else { throw BrowserFailure.notFound }
        return BrowserResponse(
            headers: ["Content-Type": type], body: BrowserBody(Array(try data(path, options))))
    }

    /// The bytes of a file by its path below the folder.
    ///
    /// - Throws: `BrowserFailure`, as `file`.
    static func data(_ path: String, _ options: BrowserOptions) throws -> Data {
        let url = try library(path) ?? folder(options).appendingPathComponent(path)
        guard let data = try? Data(contentsOf: url) else { throw BrowserFailure.notFound }
        return data
    }

    /// Where Debian's packages of libraries for pages lie, by the folder under which the page asks for them.
    private static let libraries = ["leaflet": "/usr/share/javascript/leaflet"]

    /// The file of a library that is a package of the system; nil for the front end's own files.
    private static func library(_ path: String) -> URL? {
        let steps = path.split(separator: "/")
        guard steps.count > 1, let folder = libraries[String(steps[0])] else { return nil }
        return steps.dropFirst().reduce(URL(fileURLWithPath: folder)) { $0.appendingPathComponent(String($1)) }
    }

    private static func folder(_ options: BrowserOptions) throws -> URL {
        if let folder = options.assets { return folder }
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let places = [program.deletingLastPathComponent(), Bundle.main.bundleURL].flatMap { place in
            [
                place.appendingPathComponent("OpenCoreData_CoreDataBrowser.resources/Assets"),
                place.deletingLastPathComponent().appendingPathComponent("share/opencoredata/browser"),
            ]
        }
        guard let found = places.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            throw BrowserFailure(
                500, code: "noAssets", reason: "the files of the front end are not at \(places[0].path)",
                hint: "keep the folder OpenCoreData_CoreDataBrowser.resources beside the program")
        }
        return found
    }
}
