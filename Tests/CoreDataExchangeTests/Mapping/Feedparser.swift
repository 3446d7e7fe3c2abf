import Foundation
import TestBasics

/// Python's `feedparser` in a virtual environment of its own, beside the build.
enum Feedparser {
    /// Whether it is there, or could be installed from PyPI now.
    static let isInstalled = install()

    private static let folder = buildFolder().appendingPathComponent("feedparser")
    private static let python = folder.appendingPathComponent("bin/python")

    /// The folder `.build`, in which the tests run.
    private static func buildFolder() -> URL {
        var place = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
            .resolvingSymlinksInPath()
        while place.lastPathComponent != ".build", place.path.count > 1 { place.deleteLastPathComponent() }
        return place.path.count > 1 ? place : FileManager.default.temporaryDirectory
    }

    private static func install() -> Bool {
        if (try? run(python, ["-c", "import feedparser"])) != nil { return true }
        do {
            _ = try run(URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-m", "venv", folder.path])
            _ = try run(
                python, ["-m", "pip", "install", "--quiet", "--retries", "1", "--timeout", "15", "feedparser==6.0.*"])
            return true
        } catch {
            return false
        }
    }

    /// What it reads of the entries of a document: a value for each name, none for what is not there.
    static func entries(of document: String) throws -> [[String: String]] {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("feed.xml")
        try Data(document.utf8).write(to: file)
        let output = try run(python, ["-c", script, file.path])
        return try JSONDecoder().decode([[String: String]].self, from: output)
    }

    /// Where the ready-made mappings say which of two elements counts, the same is taken here: for `published` else the time of the last
    /// change, for `content` else the summary.
    private static let script = """
        import calendar, feedparser, json, sys, time

        def moment(parsed):
            return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(calendar.timegm(parsed))) if parsed else None

        def read(e):
            content = e.get("content") or [{"value": e.get("summary")}]
            picture = (e.get("media_thumbnail") or e.get("media_content") or [{}])[0].get("url")
            image = e.get("image") or {}
            # Not by `get`, which gives one date for the other.
            dates = {name: moment(dict.get(e, name + "_parsed")) for name in ("published", "updated")}
            return {
                "identifier": e.get("id"), "title": e.get("title"), "link": e.get("link"),
                "published": dates["published"] or dates["updated"], "updated": dates["updated"],
                "summary": e.get("summary"), "content": content[0]["value"], "author": e.get("author"),
                "categories": ", ".join(tag["term"] for tag in e.get("tags", [])) or None,
                "picture": picture or image.get("href"),
                "enclosure": next((x["href"] for x in e.get("links", []) if x.get("rel") == "enclosure"), None),
                "latitude": e.get("geo_lat"), "longitude": e.get("geo_long"),
            }

        feed = feedparser.parse(open(sys.argv[1], "rb").read(), sanitize_html=False, resolve_relative_uris=False)
        entries = [{k: v for k, v in read(e).items() if v} for e in feed.entries]
        json.dump(entries, sys.stdout)
        """

    private struct Failure: Error {}

    private static func run(_ program: URL, _ arguments: [String]) throws -> Data {
        let (process, output) = (Process(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure() }
        return data
    }
}
