/// What is sent of a script: a third of ours is comments and indentation, which every page reads.
enum ScriptText {
    /// The same script without whole-line comments and indentation. Lines keep their numbers, so
    /// that an error in a module that was asked for by its own path points at the file in `Web`.
    ///
    /// It reads lines, not JavaScript: a comment begins its line, and no text runs over several
    /// lines. `ScriptTests` in SoundnessTests hold our scripts to that.
    static func withoutComments(_ source: String) -> String {
        var isComment = false
        var lines: [Substring] = []
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = line.drop { $0 == " " }
            if !isComment && rest.hasPrefix("//") { rest = "" }
            isComment = isComment || rest.hasPrefix("/*")
            if isComment {
                let end = rest.firstRange(of: "*/")
                isComment = end == nil
                rest = end.map { rest[$0.upperBound...].drop { $0 == " " } } ?? ""
            }
            lines.append(rest)
        }
        return lines.joined(separator: "\n")
    }
}
