import CoreDataFoundation

/// Reads the model at a URL, in any form.
enum ModelReading {
    /// - Throws: `ModelingError` with the path and, for a source, the line.
    static func assembly(at url: URL) throws -> ModelAssembly {
        let location = try ModelLocation(url)
        if let warning = location.warning {
            CoreDataLogging.reportOnce(
                .warning, "\(url.path): \(warning)", metadata: [CoreDataLogging.MetadataKey.model: url.path])
        }
        do {
            let data = try BoundedFile.read(location.file, limit: BoundedFile.greatestModelSize)
            switch location.form {
            case .source: return try ModelSourceReader.read(data)
            case .binarySource: return try BinarySourceReader.read(data)
            case .compiled: return try CompiledModelReader.read(data)
            }
        } catch let error as ModelingError {
            throw error.at(path: location.file.path)
        }
    }
}

extension NSManagedObjectModel {
    /// Reads the model at a URL: `.momd`, `.mom`, `.xcdatamodeld`, `.xcdatamodel`, or the `contents` of one.
    ///
    /// Of a versioned model the current version is read. Returns nil if reading fails; ``CoreDataLogging`` reports the
    /// reason. Differs from Apple's: sources are read too.
    public convenience init?(contentsOf url: URL) {
        self.init()
        do {
            adopt(try ModelReading.assembly(at: url))
        } catch {
            CoreDataLogging.report(
                .error, "cannot read the model \(url.path): \(error)",
                metadata: [CoreDataLogging.MetadataKey.model: url.path], prefix: "CoreData: ")
            return nil
        }
    }

    /// Reads the model at a URL: `.momd`, `.mom`, `.xcdatamodeld`, `.xcdatamodel`, or the `contents` of one.
    ///
    /// - Throws: an `NSError` of the Cocoa domain whose failure reason names path, line and cause.
    public convenience init(reading url: URL) throws {
        self.init()
        do {
            adopt(try ModelReading.assembly(at: url))
        } catch let error as ModelingError {
            throw error.at(path: url.path).asNSError
        }
    }

    /// Reads the XML of a model's source.
    ///
    /// - Throws: `ModelingError` with the line.
    package convenience init(source data: Data) throws {
        self.init()
        adopt(try ModelSourceReader.read(data))
    }

    /// Reads the source of a model in the binary form before Xcode 4: the file `elements`.
    ///
    /// - Throws: `ModelingError`.
    package convenience init(binarySource data: Data) throws {
        self.init()
        adopt(try BinarySourceReader.read(data))
    }

    /// Reads a compiled model (`.mom`).
    ///
    /// - Throws: `ModelingError`.
    package convenience init(compiled data: Data) throws {
        self.init()
        adopt(try CompiledModelReader.read(data))
    }

    /// The checksum of every version of a compiled model, by the version's name.
    ///
    /// The checksum of a version that `VersionInfo.plist` does not contain is computed.
    /// - Throws: an `NSError` of the Cocoa domain if the model cannot be read.
    public static func checksumsForVersionedModel(at url: URL) throws -> [String: String] {
        do {
            let information = try VersionInformation(momd: url)
            var checksums = information.checksumsByVersion
            for version in information.hashesByVersion.keys where checksums[version] == nil {
                let file = url.appendingPathComponent(version + ".mom")
                guard !version.contains("/"), BoundedFile.exists(file) else { continue }
                checksums[version] = try NSManagedObjectModel(reading: file).versionChecksum
            }
            return checksums
        } catch let error as ModelingError {
            throw error.asNSError
        }
    }
}
