import CoreDataMedia

/// The command line of MediaLibrary: scans a folder, lists titular songs, and plays what is found by silent seconds of its own.
@main
struct Program {
    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        do { try run(words) } catch {
            FileHandle.standardError.write(Data("medialibrary: \(error)\n".utf8))
            exit(1)
        }
    }

    private struct Usage: Error, CustomStringConvertible {
        let description = "usage: medialibrary STORE scan FOLDER | titular | play TITLE"
    }

    private static func run(_ words: [String]) throws {
        guard words.count >= 2 else { throw Usage() }
        let library = try MPMediaLibrary(storeURL: URL(fileURLWithPath: words[0]))
        switch (words[1], words.count) {
        case ("scan", 3):
            let report = try library.scanAndWait(URL(fileURLWithPath: words[2]))
            print("\(report.added) added, \(report.problemCount) problems")
        case ("titular", 2):
            for song in try titularSongs(in: library) { print(song.title ?? "") }
        case ("play", 3):
            let player = SimplePlayer(library)
            let count = try player.search(words[2])
            print("\(count) found. \(player.status): \(player.title)")
        default: throw Usage()
        }
    }
}
