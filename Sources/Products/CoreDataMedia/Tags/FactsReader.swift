import Foundation
import MediaToolKit
import ProgramKit

/// Reads the facts of some files: tags of all in one run of `exiftool`, lengths by the headers, and `ffprobe` for what is left, since a
/// process for each file takes longer than all else.
struct FactsReader: Sendable {
    /// Programs that were missing, which the report of a scan names.
    private(set) var missing: Set<HelperProgram>

    /// A reader that does not try programs again that are known to be missing.
    init(missing: Set<HelperProgram> = []) { self.missing = missing }

    /// The facts in the order of the files.
    mutating func read(_ files: [BytePath]) throws -> [MediaFacts] {
        let links = try ToolLinks(files)
        let tags = readTags(links.paths)
        return zip(files, links.paths).map { file, link in facts(file, link, tags[link]) }
    }

    /// The tags of all files. When the program is ended by one of them, each half is tried alone, so that one file costs its own tags.
    private mutating func readTags(_ links: [String]) -> [String: FileTags] {
        guard !links.isEmpty, !missing.contains(ExifToolTags.program) else { return [:] }
        do { return try ExifToolTags.read(links) } catch let failure as ProgramFailure where failure.isMissing {
            missing.insert(ExifToolTags.program)
            return [:]
        } catch {
            guard links.count > 1 else { return [:] }
            let half = links.count / 2
            return readTags(Array(links[..<half])).merging(readTags(Array(links[half...]))) { one, _ in one }
        }
    }

    private mutating func facts(_ file: BytePath, _ link: String, _ tags: FileTags?) -> MediaFacts {
        let known = tags.flatMap(ExifToolTags.facts)
        var facts = known ?? MediaFacts()
        let form = tags?.first("FileType") ?? ""
        if facts.duration == nil { facts.duration = SoundLength.of(file) }
        let movie = tags.flatMap { MovieHeader($0) }
        if facts.duration == nil { facts.duration = movie?.duration }
        let isSound = ExifToolTags.soundAlone.contains(form) || form == "OGG" || movie.map { $0.size == nil } ?? false
        if facts.duration == nil || !isSound && movie == nil {
            probe(link, hasTags: known != nil, &facts)
        } else if let size = movie?.size {
            facts.setFilm(size)
        }
        if facts.type.isEmpty, facts.problem == nil {
            facts.type = file.filenameExtension == "m4b" ? .audioBook : .music
        }
        return facts
    }

    private mutating func probe(_ link: String, hasTags: Bool, _ facts: inout MediaFacts) {
        guard !missing.contains(MediaTool.ffprobe) else { return decideByName(link, &facts) }
        do {
            let probe = try MediaProbe(reading: link)
            if !hasTags {
                let mimeType = facts.mimeType
                facts = probe.facts()
                facts.mimeType = mimeType
            }
            if let length = try probe.duration(of: link), facts.duration == nil { facts.duration = length }
            if probe.isFilm {
                facts.setFilm(probe.size.map { MovieHeader.PixelPair(width: $0.width, height: $0.height) })
            }
        } catch let failure as ProgramFailure where failure.isMissing {
            missing.insert(MediaTool.ffprobe)
            decideByName(link, &facts)
        } catch let failure as ProgramFailure {
            facts.problem = failure.description
        } catch let error as MediaLibraryError {
            facts.problem = error.description
        } catch { facts.problem = "\(error)" }
    }

    /// Without `ffprobe` the name has to do.
    private func decideByName(_ link: String, _ facts: inout MediaFacts) {
        let films = [
            "mp4", "m4v", "mov", "mkv", "webm", "avi", "mpg", "mpeg", "wmv", "ogv", "ts", "m2ts", "mts", "vob",
        ]
        if facts.type.isEmpty, films.contains(BytePath(link).filenameExtension) { facts.type = .movie }
    }
}
