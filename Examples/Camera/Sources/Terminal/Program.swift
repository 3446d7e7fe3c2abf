import CoreData
import CoreDataRecordings

/// The command line of Camera.
@main
struct Program {
    @MainActor
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("camera: \(error)\n".utf8))
            exit(1)
        }
    }

    private struct Complaint: Error, CustomStringConvertible {
        let description: String
    }

    @MainActor
    private static func run(_ words: [String]) async throws {
        guard words.count >= 3 else {
            throw Complaint(description: "usage: camera STORE scan PICTURE | make TEXT PICTURE | record FOLDER")
        }
        let container = NSPersistentContainer(name: "Camera")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: words[0]))]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        let camera = Camera(container.viewContext)
        switch (words[1], words.count) {
        case ("scan", 3):
            for scan in try await camera.scan(Data(contentsOf: URL(fileURLWithPath: words[2])), at: Date()) {
                print("We read \(scan.content ?? "") from a barcode of type \(scan.type ?? "")")
            }
        case ("make", 4): try await camera.code(of: words[2]).write(to: URL(fileURLWithPath: words[3]))
        case ("record", 3):
            let file: URL = try await withCheckedThrowingContinuation { continuation in
                do {
                    recorder = try camera.record(into: URL(fileURLWithPath: words[2]), from: Tone()) {
                        continuation.resume(with: $0)
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            print("\(file.lastPathComponent) of \(Camera.longest.formatted()) seconds")
        default: throw Complaint(description: "there is no command '\(words[1])' with these words")
        }
    }

    @MainActor private static var recorder: AVAudioRecorder?
}
