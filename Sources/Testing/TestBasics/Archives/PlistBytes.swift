import Foundation

/// Binary property lists put together object by object, well formed or not.
package struct PlistBytes {
    package var objects: [[UInt8]] = []

    package init() {}

    /// Adds an object and returns its number.
    package mutating func add(_ bytes: [UInt8]) -> Int {
        objects.append(bytes)
        return objects.count - 1
    }

    package static func length(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15
            ? [kind | UInt8(count)]
            : [kind | 0x0F, 0x12] + withUnsafeBytes(of: UInt32(count).bigEndian, Array.init)
    }

    package static func reference(_ object: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(object).bigEndian, Array.init)
    }

    package static func text(_ text: String) -> [UInt8] { length(0x50, text.utf8.count) + Array(text.utf8) }

    package static func uid(_ object: Int) -> [UInt8] { [0x83] + reference(object) }

    package static func array(_ objects: [Int]) -> [UInt8] { length(0xA0, objects.count) + objects.flatMap(reference) }

    package static func dictionary(_ pairs: [(Int, Int)]) -> [UInt8] {
        length(0xD0, pairs.count) + pairs.flatMap { reference($0.0) } + pairs.flatMap { reference($0.1) }
    }

    /// The complete file, with references and offsets of four bytes.
    package func data(top: Int = 0) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets += Self.reference(bytes.count)
            bytes += object
        }
        let table = bytes.count
        bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 4]
        for number in [objects.count, top, table] { bytes += withUnsafeBytes(of: UInt64(number).bigEndian, Array.init) }
        return Data(bytes)
    }

    /// A keyed archive of the given objects, whose first one is the root; references between them count from 1.
    package static func archive(_ values: (inout PlistBytes) -> [Int]) -> Data {
        var plist = PlistBytes()
        let top = plist.add([])
        let null = plist.add(text("$null"))
        let listed = values(&plist)
        let list = plist.add(array([null] + listed))
        let rootReference = plist.add(uid(1))
        let roots = plist.add(dictionary([(plist.add(text("root")), rootReference)]))
        let version = plist.add([0x12, 0, 1, 0x86, 0xA0])
        let archiver = plist.add(text("NSKeyedArchiver"))
        plist.objects[top] = dictionary([
            (plist.add(text("$archiver")), archiver), (plist.add(text("$objects")), list),
            (plist.add(text("$top")), roots), (plist.add(text("$version")), version),
        ])
        return plist.data()
    }

    /// An archived instance of a collection class with references to elements by their number in the archive.
    package mutating func instance(ofClassAt number: Int, elements: [Int]) -> Int {
        let references = elements.map { add(Self.uid($0)) }
        let list = add(Self.array(references))
        let classReference = add(Self.uid(number))
        return add(Self.dictionary([(add(Self.text("$class")), classReference), (add(Self.text("NS.objects")), list)]))
    }

    /// The archived description of a class.
    package mutating func classNamed(_ name: String) -> Int {
        let text = add(Self.text(name))
        return add(
            Self.dictionary([
                (add(Self.text("$classname")), text), (add(Self.text("$classes")), add(Self.array([text]))),
            ]))
    }
}
