import Documents

// The other process of the tests of documents, which is killed while it saves:
//
//   DocumentChild file PATH      saves a document of 1 MB again and again, each time of another letter
//   DocumentChild package PATH   the same with a package of 8 files
//
// Writes "saved" after the first save.

final class Letters: UIDocument, @unchecked Sendable {
    let isPackage: Bool
    var number: UInt8 = 0

    init(_ url: URL, isPackage: Bool) {
        self.isPackage = isPackage
        super.init(fileURL: url)
    }

    override func contents(forType typeName: String) throws -> Any {
        let letter = UInt8(ascii: "a") + number % 26
        number += 1
        guard isPackage else { return Data(repeating: letter, count: 1 << 20) }
        let files = (0..<8).map {
            ("part\($0)", FileWrapper(regularFileWithContents: Data(repeating: letter, count: 1 << 14)))
        }
        return FileWrapper(directoryWithFileWrappers: Dictionary(uniqueKeysWithValues: files))
    }
}

let document = Letters(URL(fileURLWithPath: CommandLine.arguments[2]), isPackage: CommandLine.arguments[1] == "package")
guard await document.save(to: document.fileURL, for: .forCreating) else {
    print("error \(String(describing: document.lastError))")
    exit(1)
}
print("saved")
fflush(nil)
while await document.save(to: document.fileURL, for: .forOverwriting) {}
print("error \(String(describing: document.lastError))")
