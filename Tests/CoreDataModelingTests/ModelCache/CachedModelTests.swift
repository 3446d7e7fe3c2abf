import CZlib
import CoreDataModeling
import TestBasics
import Testing

@Suite struct CachedModelTests {
    /// A raw DEFLATE stream of the bytes, or of `copies` times the bytes.
    private func deflated(_ data: Data, copies: Int = 1) -> Data {
        var stream = z_stream()
        deflateInit2_(
            &stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = [UInt8](data)
        var output = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for copy in 0..<copies {
            input.withUnsafeMutableBufferPointer { source in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                repeat {
                    buffer.withUnsafeMutableBufferPointer { target in
                        stream.next_out = target.baseAddress
                        stream.avail_out = UInt32(target.count)
                        _ = deflate(&stream, copy == copies - 1 ? Z_FINISH : Z_NO_FLUSH)
                    }
                    output.append(contentsOf: buffer[..<(buffer.count - Int(stream.avail_out))])
                } while stream.avail_out == 0
            }
        }
        return output
    }

    private func code(_ data: Data) -> ModelingError.Code? {
        do {
            _ = try NSManagedObjectModel(cachedModel: data)
            return nil
        } catch {
            return (error as? ModelingError)?.code
        }
    }

    @Test("data that are not a raw DEFLATE stream are refused (HAZ-15)")
    func otherStreamsAreRefused() {
        #expect(code(Data()) == .malformed)
        #expect(code(Data(repeating: 0xFF, count: 1000)) == .malformed)
        #expect(code(deflated(Data(repeating: 1, count: 100_000)).dropLast(3)) == .malformed)
    }

    @Test("a bomb is refused before it fills the memory (HAZ-15)", .timeLimit(.minutes(20)))
    func bombsAreRefused() {
        let bomb = deflated(Data(count: 1 << 20), copies: 256)
        #expect(bomb.count < 2 << 20)
        #expect(code(bomb) == .limitExceeded)
        #expect(code(deflated(Data(count: 1 << 20), copies: 20)) == .limitExceeded)
    }

    @Test("an archive of something else is refused, and data that are not an archive (HAZ-15)")
    func otherContentsAreRefused() throws {
        #expect(code(deflated(Data("hello".utf8))) == .unsupportedForm)
        let array = PlistBytes.archive { [$0.instance(ofClassAt: 2, elements: []), $0.classNamed("NSArray")] }
        #expect(code(deflated(array)) == .unexpectedClass)
        let empty = PlistBytes.archive {
            [$0.instance(ofClassAt: 2, elements: []), $0.classNamed("NSManagedObjectModel")]
        }
        #expect(code(deflated(empty)) == .malformed)
    }

    @Test(
        "a compiled model with any byte changed gives a model or an error (HAZ-15, HAZ-48)",
        .enabled(if: Fixtures.areAvailable))
    func changedBytesNeverTrap() throws {
        let path = "stores/coredataplus/Tests/Resources/SampleModel3/Fixtures/SampleModel3.momd/SampleModel3_v2.mom"
        let data = try Data(contentsOf: Fixtures.url(path))
        #expect(throws: Never.self) { try NSManagedObjectModel(compiled: data) }
        var refused = 0
        for index in data.indices {
            for value in [0xFF, data[index] ^ 0x01] as [UInt8] {
                var changed = data
                changed[index] = value
                if (try? NSManagedObjectModel(compiled: changed)) == nil { refused += 1 }
            }
        }
        #expect(refused > 0)
    }
}
