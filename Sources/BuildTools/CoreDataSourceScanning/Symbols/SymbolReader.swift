import CoreDataModelCompiler

/// Finds the symbols of accessors in the SIL of a stub.
///
/// The SIL may have many megabytes, so it is searched in place and not split into lines.
enum SymbolReader {
    private static let functionHead = "\nsil "
    private static let callHead = "function_ref @" + ModuleStub.markerPrefix

    /// The symbols by the numbers of the accessors.
    static func symbols(in text: String) -> [Int: String] {
        text.withCString { text in
            var symbols: [Int: String] = [:]
            var function: UnsafePointer<CChar>?
            var nextFunction = find(functionHead, in: text)
            var call = find(callHead, in: text)
            while let found = call {
                while let head = nextFunction, head < found {
                    (function, nextFunction) = (head, find(functionHead, in: head + 1))
                }
                let number = Int(strtol(found + callHead.utf8.count, nil, 10))
                if let function { symbols[number] = name(behind: function) }
                call = find(callHead, in: found + 1)
            }
            return symbols
        }
    }

    private static func find(_ words: String, in text: UnsafePointer<CChar>) -> UnsafePointer<CChar>? {
        strstr(text, words).map { UnsafePointer($0) }
    }

    /// The symbol after the first `@` from a place on; nil if there is none.
    private static func name(behind place: UnsafePointer<CChar>) -> String? {
        guard let at = strchr(place, 0x40) else { return nil }
        let name = UnsafeRawBufferPointer(start: at + 1, count: strcspn(at + 1, " \n"))
        return String(decoding: name, as: UTF8.self)
    }
}
