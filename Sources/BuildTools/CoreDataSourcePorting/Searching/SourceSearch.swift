/// The Swift sources at paths of files and folders, and findings about files that are not rewritten.
struct SourceSearch {
    /// The Swift sources, each with the folder that was searched, or the parent folder of a file that was given.
    private(set) var sources: [(url: URL, folder: URL)] = []
    private(set) var findings: [PortFinding] = []
    private var seen: Set<String> = []

    /// The languages of other files with code by their path extensions, for the findings about these files.
    private static let others: [String: String] = [
        "m": "Objective-C", "mm": "Objective-C++", "xib": "Interface Builder", "storyboard": "Interface Builder",
        "nib": "Interface Builder",
    ]

    /// Looks for sources at paths, files or folders.
    ///
    /// - Throws: `ModelingError` `.unreadable` for a path where there is nothing.
    init(_ paths: [String]) throws {
        for path in paths {
            let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
                throw ModelingError(.unreadable, "there is no such file or folder").at(path: path)
            }
            if isFolder.boolValue { search(url) } else { add(url, in: url.deletingLastPathComponent()) }
        }
    }

    /// Searches a folder and its nested folders in the order of their names; skips hidden files and folders.
    private mutating func search(_ root: URL) {
        var waiting = [root]
        while let folder = waiting.popLast() {
            let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
            var inside: [URL] = []
            for name in names where !name.hasPrefix(".") {
                let url = folder.appendingPathComponent(name)
                switch try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType {
                case .typeDirectory?: inside.append(url)
                case .typeRegular?: add(url, in: root)
                case .typeSymbolicLink? where url.pathExtension == "swift":
                    report(url, "a symbolic link is not followed: name the file itself")
                default: break
                }
            }
            waiting += inside.reversed()
        }
    }

    private mutating func add(_ url: URL, in folder: URL) {
        guard seen.insert(url.path).inserted else { return }
        if let language = Self.others[url.pathExtension] {
            report(url, "\(language) is not rewritten: only Swift sources are")
        } else if url.pathExtension == "swift" {
            sources.append((url, folder))
        }
    }

    /// Parses the sources in their order.
    ///
    /// - Parameters:
    ///   - read: Takes a source and the path of its file.
    ///   - refuse: Takes the finding about a source that cannot be read.
    func parse(_ read: (ParsedSource, String) -> Void, refuse: (PortFinding) -> Void) {
        for (url, _) in sources {
            do {
                read(try ParsedSource(url), url.path)
            } catch {
                let message = (error as? ParsedSource.Refusal)?.message ?? String(describing: error)
                refuse(PortFinding(file: url.path, message: message))
            }
        }
    }

    private mutating func report(_ url: URL, _ message: String) {
        findings.append(PortFinding(file: url.path, message: message))
    }
}
