import CoreData

/// The names of the functions at the return addresses of a trace, if the executable files contain them.
///
/// Without a tool that resolves names, or if a file has been replaced, an address is shown as its file's name and the
/// offset of the address from the start of the file's image.
package struct TraceSymbols: Sendable {
    /// A function; `place` is the source file and line of the call in it, nil if they are unknown.
    package struct Frame: Sendable, Equatable {
        package let name: String
        package let place: String?
        /// Whether `SymbolModule.isLibrary(_:)` holds for the function, so that it cannot be a call site of the
        /// program.
        package let isLibrary: Bool
    }

    private let frames: [UInt64: Frame]

    /// Resolves no names: every frame shows its address.
    package init() { frames = [:] }

    /// Looks up the addresses of all stacks of a trace.
    package init(_ trace: Trace) { self.init(trace, Set(trace.stacks.joined())) }

    /// Looks up the given addresses.
    package init(_ trace: Trace, _ addresses: Set<UInt64>) {
        var frames: [UInt64: Frame] = [:]
        let images = trace.process.images.sorted { $0.base < $1.base }
        var groups: [Int: [UInt64]] = [:]
        for address in addresses {
            guard let number = Self.image(of: address, in: images) else { continue }
            groups[number, default: []].append(address)
        }
        for (number, group) in groups {
            let image = images[number]
            let sorted = group.sorted()
            // A return address follows its call instruction; the byte before the address belongs to the call.
            let names = SymbolTool.names(at: sorted.map { $0 - image.base - 1 }, in: image)
            for (index, address) in sorted.enumerated() {
                frames[address] = index < names.count ? names[index] : nil
                if frames[address] == nil {
                    let name =
                        "\(URL(fileURLWithPath: image.path).lastPathComponent)+0x\(String(address - image.base, radix: 16))"
                    frames[address] = Frame(name: name, place: nil, isLibrary: false)
                }
            }
        }
        self.frames = frames
    }

    package func frame(at address: UInt64) -> Frame {
        frames[address] ?? Frame(name: "0x" + String(address, radix: 16), place: nil, isLibrary: false)
    }

    /// The names from the outermost function to the library's function that the call site called.
    package func path(of stack: [UInt64]) -> [String] {
        let frames = stack.map(frame)
        let site = frames.firstIndex { !$0.isLibrary } ?? 0
        return frames[max(site - 1, 0)...].reversed().map(\.name)
    }

    /// The innermost function outside the library, with its place; nil if there is no such function.
    package func site(of stack: [UInt64]) -> String? {
        guard let frame = stack.lazy.map(frame).first(where: { !$0.isLibrary }) else { return nil }
        return frame.place.map { "\(frame.name) (\($0))" } ?? frame.name
    }

    private static func image(of address: UInt64, in images: [Trace.Image]) -> Int? {
        var (low, high) = (0, images.count)
        while low < high {
            let middle = (low + high) / 2
            if images[middle].base <= address { low = middle + 1 } else { high = middle }
        }
        guard low > 0, address > images[low - 1].base, address - images[low - 1].base <= images[low - 1].size else {
            return nil
        }
        return low - 1
    }
}
