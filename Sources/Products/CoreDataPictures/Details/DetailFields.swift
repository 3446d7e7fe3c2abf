import CoreDataPlaces
import Foundation

/// The fields that are asked of exiftool, and its answer: a line a file, with tabs between the fields.
///
/// exiftool writes a period for each control character of a value, so that tabs and line breaks are its own.
enum DetailFields {
    /// The first field is the name of the file, which is its place in the order that was asked.
    static let tags = [
        "-FileName", "-MIMEType", "-DateTimeOriginal", "-OffsetTimeOriginal", "-CreationDate", "-CreateDate",
        "-OffsetTimeDigitized", "-Make", "-Model", "-LensModel", "-Composite:GPSLatitude", "-Composite:GPSLongitude",
        "-Composite:GPSAltitude",
    ]

    private static let longestText = 200

    static func rows(_ text: String) -> [Int: PictureDetails] {
        var rows: [Int: PictureDetails] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard fields.count == tags.count, let place = Int(fields[0]) else { continue }
            rows[place] = details(fields)
        }
        return rows
    }

    private static func details(_ fields: [String]) -> PictureDetails {
        var details = PictureDetails()
        // Films of cameras have the time in UTC, and a further field with their zone.
        let isFilm = fields[1].hasPrefix("video/")
        let times: [(String, String)] = [
            (fields[2], fields[3]), (fields[4], ""), (fields[5], isFilm ? "Z" : fields[6]),
        ]
        if let time = times.lazy.compactMap({ CameraTime($0, zone: $1) }).first {
            (details.taken, details.hasTimeZone) = (time.date, time.hasZone)
        }
        (details.maker, details.model, details.lens) = (text(fields[7]), text(fields[8]), text(fields[9]))
        if let latitude = Double(fields[10]), let longitude = Double(fields[11]) {
            let coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
            // A camera without a signal writes zeros.
            if CLLocationCoordinate2DIsValid(coordinate), latitude != 0 || longitude != 0 {
                details.coordinate = coordinate
            }
        }
        if let altitude = Double(fields[12]), altitude.isFinite { details.altitude = altitude }
        return details
    }

    /// A hyphen stands for a field that is missing.
    private static func text(_ field: String) -> String? {
        field.isEmpty || field == "-" ? nil : String(field.prefix(longestText))
    }
}
